package io.gleaner.bench;

/** What each client does again and again. */
interface Pattern {
  /** Its row. */
  String name();

  /** What is counted, in one word of the plural. */
  String unit();

  /** What one client does. */
  Step client(Peer.Client client, int number) throws Exception;

  /** One turn of one client; answers how many units it did. */
  interface Step {
    int turn() throws Exception;
  }
}
