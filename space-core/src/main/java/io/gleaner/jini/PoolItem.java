package io.gleaner.jini;

import java.io.Serializable;

/**
 * What stands in a lookup service for a pool: data only. Clients bring the code with them, and find
 * everything in the {@link PoolEntry} beside it.
 */
public record PoolItem(String pool) implements Serializable {}
