package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import io.gleaner.space.core.Caller;

/** Who waits for an answer: a member, and the number of the question there. */
record Asker(Address member, long question) implements Caller {}
