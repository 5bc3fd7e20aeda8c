/** Double-entry accounts in integer micro-credits: escrow, settlement, refund. */
package io.gleaner.ledger;
