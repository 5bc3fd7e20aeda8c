/** Bags of tasks: their description, their submission, their progress and their end. */
package io.gleaner.bag;
