/** The composition root of a node: which parts it has and in which order they start and stop. */
package io.gleaner.node;
