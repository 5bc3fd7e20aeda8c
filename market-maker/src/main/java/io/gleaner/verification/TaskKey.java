package io.gleaner.verification;

/** One task of one bag. */
record TaskKey(String jobId, int taskIndex) {
  @Override
  public String toString() {
    return jobId + "/" + taskIndex;
  }
}
