package io.gleaner.policy;

/**
 * What the machine's owner and the launcher itself contribute to a decision.
 *
 * @param ready whether the launcher has measured the machine
 * @param connected whether the market answers
 * @param paused whether the owner said pause
 * @param stopping whether the launcher shall end
 * @param running tasks that are held, suspended ones included
 */
public record Circumstances(
    boolean ready, boolean connected, boolean paused, boolean stopping, int running) {}
