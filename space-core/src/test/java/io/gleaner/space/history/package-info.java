/** What concurrent clients did to a space, and whether some order of single steps explains it. */
package io.gleaner.space.history;
