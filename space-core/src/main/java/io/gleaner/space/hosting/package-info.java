/**
 * A member of the cluster: it hosts cells in the partitions of Hazelcast, keeps replicas of others,
 * moves them, and brings requests, letters and answers to where they belong.
 */
package io.gleaner.space.hosting;
