/**
 * Jini around the space: River's services as peers, foreign transactions, lookup. The only room
 * that speaks JERI and reads marshalled objects; off unless asked for, on loopback or a named
 * interface.
 */
package io.gleaner.jini;
