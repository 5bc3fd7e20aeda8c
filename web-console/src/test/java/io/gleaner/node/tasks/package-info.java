/** Task programs that the tests put into bundles. */
package io.gleaner.node.tasks;
