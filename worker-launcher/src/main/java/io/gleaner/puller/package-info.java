/**
 * The launcher itself: offers the machine, reads its contracts, pulls tasks under leased
 * transactions, runs them and commits what they found. Starts at {@link
 * io.gleaner.puller.Launcher}.
 */
package io.gleaner.puller;
