/**
 * The entries of the market: jobs, tasks, bids, offers, contracts, attempts, results and what is
 * said about them.
 */
package io.gleaner.tuple;
