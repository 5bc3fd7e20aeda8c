package io.gleaner.space.hosting;

/**
 * A session that was opened or found again.
 *
 * @param session 0 if there is none
 */
record Opened(long session, long leaseMillis) {}
