package io.gleaner.notice;

import io.gleaner.secrets.Secret;
import java.util.Objects;
import java.util.Optional;

/**
 * The SMTP server that takes the node's mail.
 *
 * @param startTls whether the connection must turn to TLS before anything is said
 * @param login name and password, if it asks for them
 * @param from the sender's address
 */
public record MailServer(
    String host, int port, boolean startTls, Optional<Login> login, String from) {

  /** Who the node is for the mail server. */
  public record Login(String name, Secret password) {}

  public MailServer {
    Objects.requireNonNull(host, "host");
    Objects.requireNonNull(from, "from");
    if (port < 1 || port > 65_535) {
      throw new IllegalArgumentException("mail: port = " + port + ", expected 1 to 65535");
    }
    if (login.isPresent() && !startTls) {
      throw new IllegalArgumentException(
          "mail: a password is only sent over TLS; set startTls, or leave out the login");
    }
    if (host.isBlank() || !from.matches("[^@\\s]+@[^@\\s]+")) {
      throw new IllegalArgumentException(
          "mail: host = '" + host + "', from = '" + from + "', expected a host and an address");
    }
  }
}
