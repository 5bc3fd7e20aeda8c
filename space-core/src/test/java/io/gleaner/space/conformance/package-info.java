/**
 * The specifications of JavaSpaces, entries, leases, transactions and events, paragraph by
 * paragraph, held against our space in the node, through its gateway, and against Outrigger.
 */
package io.gleaner.space.conformance;
