package io.gleaner.space;

import io.gleaner.secrets.Secret;
import io.gleaner.tls.LoopbackOnly;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a node's space finds the other members of its cluster, validated as a whole.
 *
 * <p>A member without addresses to join founds a space; one with addresses joins a space or does
 * not start: it never founds a second one beside the first.
 *
 * @param host address that this member listens on; loopback only until members have certificates
 * @param port port that it listens on, 0 for any
 * @param cluster name that all members share
 * @param secret what all members know and nobody else; it is proven by both sides of a connection
 *     and never sent
 * @param join addresses {@code host:port} of members, of which one at least must be there
 * @param patience how long to look for one of them
 * @param backups synchronous replicas of each cell on other members, 0 or 1
 */
public record MemberSettings(
    String host,
    int port,
    String cluster,
    Secret secret,
    List<String> join,
    Duration patience,
    int backups) {

  public MemberSettings {
    join = List.copyOf(join);
    List<String> wrong = new ArrayList<>();
    if (port < 0 || port > 65_535) {
      wrong.add("port is " + port + ", expected 0 to 65535");
    }
    if (!cluster.matches("[A-Za-z0-9_.-]{1,128}")) {
      wrong.add(
          "cluster is '" + cluster + "', expected 1 to 128 letters, digits, dots, dashes, '_'");
    }
    if (backups < 0 || backups > 1) {
      wrong.add("backups is " + backups + ", expected 0 or 1");
    }
    if (patience.isNegative()) {
      wrong.add("patience is " + patience + ", expected a duration of 0 or more");
    }
    for (String address : join) {
      if (!address.matches("[^:\\s]+:[0-9]{1,5}")) {
        wrong.add("join has '" + address + "', expected host:port");
      }
    }
    if (!wrong.isEmpty()) {
      throw new IllegalArgumentException("settings of the member: " + String.join("; ", wrong));
    }
    LoopbackOnly.check(host);
    for (String address : join) {
      LoopbackOnly.check(address.substring(0, address.lastIndexOf(':')));
    }
  }

  /** A member of this machine that nobody can join: its secret is known to nobody else. */
  public static MemberSettings alone() {
    return founding("gleaner", Secret.random());
  }

  /** A member that founds a space, at any port of loopback, with one replica once there are two. */
  public static MemberSettings founding(String cluster, Secret secret) {
    return new MemberSettings(
        "127.0.0.1", 0, cluster, secret, List.of(), Duration.ofSeconds(30), 1);
  }

  /** A member that joins the space of which one of the addresses is a member. */
  public MemberSettings joining(List<String> addresses) {
    return new MemberSettings(host, port, cluster, secret, addresses, patience, backups);
  }

  public MemberSettings withBackups(int count) {
    return new MemberSettings(host, port, cluster, secret, join, patience, count);
  }

  public MemberSettings withPatience(Duration limit) {
    return new MemberSettings(host, port, cluster, secret, join, limit, backups);
  }

  /** Whether this member may begin a space of its own. */
  public boolean founds() {
    return join.isEmpty();
  }
}
