/**
 * The pure core of the space: cells that turn (message, now) into messages, answers and wake-ups.
 * No thread, clock, network or storage in here, so that a node and a simulator host the same
 * classes. How the cells agree is told in {@code docs/space.md}.
 */
package io.gleaner.space.core;
