/** Sensors that tell whether the owner needs the machine; what they cannot tell is unknown. */
package io.gleaner.idle;
