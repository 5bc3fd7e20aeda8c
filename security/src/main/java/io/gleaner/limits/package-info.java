/** How often somebody may ask, and how much is remembered of everybody. */
package io.gleaner.limits;
