package io.gleaner.verification;

/**
 * What a launcher says that one replica of a task gave and cost, checked in form but not yet in
 * truth.
 *
 * @param owner who is paid, as the contract says
 * @param microUnits work, already capped by the bag's limit
 * @param microsPerUnit price, as the contract says
 */
record Claim(
    TaskKey task,
    int replica,
    int attempt,
    String launcherId,
    String owner,
    String outputDigest,
    long outputBytes,
    long microUnits,
    long microsPerUnit,
    long elapsedMillis) {

  /** One replica of one task: the first claim for it counts. */
  record Key(TaskKey task, int replica) {}

  Key key() {
    return new Key(task, replica);
  }
}
