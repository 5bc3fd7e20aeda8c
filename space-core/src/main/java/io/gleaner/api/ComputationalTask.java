package io.gleaner.api;

import java.io.Serializable;
import java.util.concurrent.Callable;

/**
 * A call that can travel: a callable whose object can be serialised. A lambda that is passed where
 * one is expected can be, if what it captures can. Source: {@code ComputationalTask}, Gomoluch,
 * appendix D.4.
 *
 * @param <V> what it returns; travels back, so it must be serialisable too
 */
@FunctionalInterface
public interface ComputationalTask<V> extends Callable<V>, Serializable {}
