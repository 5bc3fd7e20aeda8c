/** Events of a client: hints that are handed to its listeners in order, on one thread. */
package io.gleaner.notification;
