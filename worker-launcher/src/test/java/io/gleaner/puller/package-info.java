/** The launcher and its command. */
package io.gleaner.puller;
