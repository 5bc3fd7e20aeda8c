/** The status page over a real socket. */
package io.gleaner.status;
