/**
 * Content-addressed storage for what is too large for an entry: bundles, inputs, outputs,
 * checkpoints.
 */
package io.gleaner.blob;
