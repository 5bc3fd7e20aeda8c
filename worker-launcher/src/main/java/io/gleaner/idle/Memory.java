package io.gleaner.idle;

/**
 * How short memory is.
 *
 * @param availablePercent what programs could still get without swapping
 * @param stalledPercent share of the last ten seconds in which some program waited for memory; 0
 *     where the kernel does not tell
 */
public record Memory(double availablePercent, double stalledPercent) {}
