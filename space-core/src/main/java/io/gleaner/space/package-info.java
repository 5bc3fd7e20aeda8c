/**
 * The tuple space: the commands it understands, the pure core that decides them, and the
 * JavaSpace05 face that programs see.
 */
package io.gleaner.space;
