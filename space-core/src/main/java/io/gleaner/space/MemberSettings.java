package io.gleaner.space;

import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.tls.LoopbackOnly;
import io.gleaner.tls.NamedAddress;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How a node's space finds the other members of its cluster, validated as a whole.
 *
 * <p>A member without addresses to join founds a space; one with addresses joins a space or does
 * not start: it never founds a second one beside the first.
 *
 * @param host address that this member listens on: loopback, or one in a private network
 * @param port port that it listens on, 0 for any
 * @param cluster name that all members share
 * @param proof how members know one another
 * @param network where they may be
 * @param join addresses {@code host:port} of members, of which one at least must be there
 * @param patience how long to look for one of them
 * @param backups synchronous replicas of each cell on other members, 0 or 1
 */
public record MemberSettings(
    String host,
    int port,
    String cluster,
    MemberProof proof,
    Network network,
    List<String> join,
    Duration patience,
    int backups) {

  /**
   * Where members may be. What they say to each other is in clear text once they know who it is.
   */
  public enum Network {
    /** On this machine only. */
    LOOPBACK,
    /**
     * In a network or tunnel to which nobody else has access, by the operator's word; members have
     * certificates.
     */
    PRIVATE
  }

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
    requirePlace(host, network, proof);
    for (String address : join) {
      requirePlace(address.substring(0, address.lastIndexOf(':')), network, proof);
    }
  }

  private static void requirePlace(String host, Network network, MemberProof proof) {
    NamedAddress at = NamedAddress.of("member", host);
    if (at.isLoopback()) {
      InetAddress unused = LoopbackOnly.check(host);
    } else if (network != Network.PRIVATE || !(proof instanceof MemberProof.NodeCertificate)) {
      throw new SecurityRefusal(
          Code.NOT_LOOPBACK,
          "the member's address "
              + host
              + " is not loopback, and members speak clear text; it needs node certificates and"
              + " members.network: private, for a private network or tunnel as docs/security.md"
              + " describes");
    } else if (at.isEverywhere()) {
      throw new SecurityRefusal(
          Code.NOT_LOOPBACK,
          "the member's address "
              + host
              + " is every network of this machine; name its address in the private one");
    }
  }

  /** A member of this machine that nobody can join: its secret is known to nobody else. */
  public static MemberSettings alone() {
    return founding("gleaner", Secret.random());
  }

  /** A member that founds a space, at any port of loopback, with one replica once there are two. */
  public static MemberSettings founding(String cluster, Secret secret) {
    return founding(cluster, new MemberProof.Shared(secret));
  }

  /** As above, with members that know one another otherwise. */
  public static MemberSettings founding(String cluster, MemberProof proof) {
    return new MemberSettings(
        "127.0.0.1", 0, cluster, proof, Network.LOOPBACK, List.of(), Duration.ofSeconds(30), 1);
  }

  /** At an address of a private network, where members with certificates may be. */
  public MemberSettings inPrivateNetwork(String address, int at) {
    return new MemberSettings(
        address, at, cluster, proof, Network.PRIVATE, join, patience, backups);
  }

  /** A member that joins the space of which one of the addresses is a member. */
  public MemberSettings joining(List<String> addresses) {
    return new MemberSettings(host, port, cluster, proof, network, addresses, patience, backups);
  }

  public MemberSettings withBackups(int count) {
    return new MemberSettings(host, port, cluster, proof, network, join, patience, count);
  }

  public MemberSettings withPatience(Duration limit) {
    return new MemberSettings(host, port, cluster, proof, network, join, limit, backups);
  }

  /** Whether this member may begin a space of its own. */
  public boolean founds() {
    return join.isEmpty();
  }
}
