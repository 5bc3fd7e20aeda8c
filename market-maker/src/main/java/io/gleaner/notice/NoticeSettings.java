package io.gleaner.notice;

import java.time.Duration;
import java.util.Optional;

/**
 * How notices are sent.
 *
 * @param mail empty where the node has no mail server: bags that ask for mail are refused then
 * @param webhooks where webhooks may go
 * @param timeout how long one try may take at each of its steps
 * @param tries after which a notice is given up
 * @param pause before the second try; each further pause is four times the one before
 * @param longestPause no pause is longer
 */
public record NoticeSettings(
    Optional<MailServer> mail,
    WebhookHosts webhooks,
    Duration timeout,
    int tries,
    Duration pause,
    Duration longestPause) {

  public NoticeSettings {
    if (timeout.toMillis() < 10 || timeout.toMinutes() > 5) {
      throw new IllegalArgumentException("notices: timeout = " + timeout + ", expected 10ms to 5m");
    }
    if (tries < 1 || tries > 20) {
      throw new IllegalArgumentException("notices: tries = " + tries + ", expected 1 to 20");
    }
    if (pause.toMillis() < 1 || longestPause.compareTo(pause) < 0) {
      throw new IllegalArgumentException(
          "notices: pause = " + pause + ", longestPause = " + longestPause + ", expected above 0");
    }
  }

  /** What suits a node. */
  public static NoticeSettings standard(Optional<MailServer> mail) {
    return standard(mail, WebhookHosts.PUBLIC);
  }

  /** As above, with webhooks to these hosts too. */
  public static NoticeSettings standard(Optional<MailServer> mail, WebhookHosts webhooks) {
    return new NoticeSettings(
        mail, webhooks, Duration.ofSeconds(10), 6, Duration.ofSeconds(5), Duration.ofMinutes(30));
  }

  /** The pause after so many tries. */
  Duration pauseAfter(int triesMade) {
    Duration next = pause;
    for (int i = 1; i < triesMade && next.compareTo(longestPause) < 0; i++) {
      next = next.multipliedBy(4);
    }
    return next.compareTo(longestPause) < 0 ? next : longestPause;
  }
}
