package io.gleaner.space;

/**
 * What whoever opens a session calls it, so that the same one is found again.
 *
 * @param holder who it belongs to; others do not find it
 * @param number chosen at random by the opener: who knows it may use the session
 */
public record SessionName(String holder, long number) {}
