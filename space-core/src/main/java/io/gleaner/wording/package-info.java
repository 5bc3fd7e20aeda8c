/** How people write durations and sizes, and which name they meant. */
package io.gleaner.wording;
