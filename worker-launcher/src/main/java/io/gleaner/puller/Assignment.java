package io.gleaner.puller;

import io.gleaner.tuple.JobEntry;

/** What a slot serves: a contract and the bag it names. */
record Assignment(String contractId, JobEntry job) {}
