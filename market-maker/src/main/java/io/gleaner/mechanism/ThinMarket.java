package io.gleaner.mechanism;

/** What happens in a class with few distinct owners on a side, where a call is easily gamed. */
public enum ThinMarket {
  /** Trade at the posted price, between those who accept it. */
  POSTED,
  /** Call all the same. */
  CALL
}
