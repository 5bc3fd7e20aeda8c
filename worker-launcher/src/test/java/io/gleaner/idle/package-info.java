/** Sensors on a made-up system root. */
package io.gleaner.idle;
