/**
 * A random-walk solver of a 16 x 16 edge-matching puzzle as a sweep over seeds; the best board of
 * all tasks is the result.
 */
package io.gleaner.examples.eternity;
