/**
 * What the market has been told, never the truth: bids, offers and contracts as an immutable view.
 */
package io.gleaner.book;
