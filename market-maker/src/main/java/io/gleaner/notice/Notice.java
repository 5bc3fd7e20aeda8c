package io.gleaner.notice;

/** One thing to tell one receiver; its first three fields name it. */
record Notice(
    String jobId, String event, Channel.Kind channel, String target, String body, int tries) {

  /** The same for every try, so that a receiver can drop a repeated one. */
  String key() {
    return jobId + ":" + event + ":" + channel;
  }
}
