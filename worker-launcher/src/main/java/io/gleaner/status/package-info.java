/** What a launcher says to its owner: a page on loopback, and commands that need its token. */
package io.gleaner.status;
