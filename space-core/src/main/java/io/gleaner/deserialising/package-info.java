/**
 * Java-serialised objects become objects here and nowhere else, under a list of what they may hold:
 * in clients, and in the child process of a task. A node never does it.
 */
package io.gleaner.deserialising;
