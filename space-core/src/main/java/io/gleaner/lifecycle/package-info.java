/** The table in which every state machine of the market is written. */
package io.gleaner.lifecycle;
