package io.gleaner.policy;

/**
 * What the machine's owner and the launcher itself contribute to a decision.
 *
 * @param ready whether the launcher has measured the machine
 * @param connected whether the market answers
 * @param wish what the owner said last
 * @param stopping whether the launcher shall end
 * @param running tasks that are held, suspended ones included
 */
public record Circumstances(
    boolean ready, boolean connected, Wish wish, boolean stopping, int running) {}
