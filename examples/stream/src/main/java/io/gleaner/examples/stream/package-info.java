/** The application API's bag of tasks: results as they come, at the reader's pace. */
package io.gleaner.examples.stream;
