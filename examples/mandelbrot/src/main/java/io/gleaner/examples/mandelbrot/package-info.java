/**
 * A deep zoom into the Mandelbrot set as a bag of tasks: one tile of the picture per task, put
 * together at the end.
 */
package io.gleaner.examples.mandelbrot;
