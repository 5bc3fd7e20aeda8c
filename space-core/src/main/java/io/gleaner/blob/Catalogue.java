package io.gleaner.blob;

import static io.gleaner.blob.BlobRows.number;
import static io.gleaner.blob.BlobRows.update;

import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables of which blobs there are, who may see them and how long they stay. Each method is a
 * part of a transaction; rows are locked in the order blob, holder, user. Stateless.
 */
final class Catalogue {
  private Catalogue() {}

  /** Where a blob's bytes are. */
  record Place(long content, long keptUntilMillis) {}

  /** A blob whose time is over; {@code suspect} if nothing named it an earlier time either. */
  record Expired(String digest, boolean suspect) {}

  /** The row of a blob, whoever asks, or that of one that the user may see. */
  static Optional<Place> find(Connection c, String digest, Optional<String> holder)
      throws SQLException {
    String sql = "select content, kept_until_millis from blob where digest = ?";
    try (PreparedStatement select =
        c.prepareStatement(
            holder.isEmpty()
                ? sql
                : sql
                    + " and exists (select 1 from blob_holder h"
                    + " where h.digest = blob.digest and h.user_name = ?)")) {
      select.setString(1, digest);
      if (holder.isPresent()) {
        select.setString(2, holder.get());
      }
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(new Place(row.getLong(1), row.getLong(2)))
            : Optional.empty();
      }
    }
  }

  /** Keeps a blob for longer; false if there is none. */
  static boolean pin(Connection c, String digest, long untilMillis) throws SQLException {
    return update(
            c,
            "update blob set kept_until_millis = greatest(kept_until_millis, ?),"
                + " unused_since_millis = null where digest = ?",
            untilMillis,
            digest)
        > 0;
  }

  /** Adds a blob; false if it is there already, and then it is locked. */
  static boolean insert(Connection c, String digest, long bytes, long untilMillis)
      throws SQLException {
    return update(
            c,
            "insert into blob (digest, bytes, content, kept_until_millis) values (?, ?, 0, ?)"
                + " on conflict do nothing",
            digest,
            bytes,
            untilMillis)
        > 0;
  }

  static void setContent(Connection c, String digest, long content) throws SQLException {
    update(c, "update blob set content = ? where digest = ?", content, digest);
  }

  static long usedBytes(Connection c, String user) throws SQLException {
    return number(c, 0, "select bytes from blob_user where user_name = ?", user);
  }

  /**
   * Lets the user see the blob and charges them for it, once.
   *
   * @throws BlobQuotaExceeded if they have no room for it
   */
  static void charge(
      Connection c, String user, String digest, long bytes, long quotaBytes, long nowMillis)
      throws SQLException, IOException {
    if (!chargeAnew(c, user, digest, nowMillis)) {
      return;
    }
    long used = usedBytes(c, user);
    if (!credit(c, user, bytes, quotaBytes)) {
      throw new BlobQuotaExceeded(user, used, quotaBytes);
    }
  }

  /** Whether the user was not charged for it before. */
  private static boolean chargeAnew(Connection c, String user, String digest, long nowMillis)
      throws SQLException {
    hold(c, user, digest, nowMillis);
    return update(
            c,
            "update blob_holder set charged = true"
                + " where user_name = ? and digest = ? and not charged",
            user,
            digest)
        > 0;
  }

  private static boolean credit(Connection c, String user, long bytes, long quotaBytes)
      throws SQLException {
    update(
        c, "insert into blob_user (user_name, bytes) values (?, 0) on conflict do nothing", user);
    return update(
            c,
            "update blob_user set bytes = bytes + ? where user_name = ? and bytes <= ?",
            bytes,
            user,
            quotaBytes - bytes)
        > 0;
  }

  /** Lets the user see the blob, if there is one. */
  static void hold(Connection c, String user, String digest, long nowMillis) throws SQLException {
    if (update(
            c,
            "update blob_holder set since_millis = ? where user_name = ? and digest = ?",
            nowMillis,
            user,
            digest)
        == 0) {
      update(
          c,
          "insert into blob_holder (user_name, digest, charged, since_millis)"
              + " select cast(? as varchar), digest, false, cast(? as bigint) from blob"
              + " where digest = ? on conflict do nothing",
          user,
          nowMillis,
          digest);
    }
  }

  /** Forgets who was handed what so long ago; uploads are not forgotten. */
  static int forgetHolders(Connection c, long beforeMillis) throws SQLException {
    return update(
        c, "delete from blob_holder where not charged and since_millis < ?", beforeMillis);
  }

  /** Blobs that nothing keeps but their use, the longest first. */
  static List<Expired> expired(Connection c, long nowMillis, int most) throws SQLException {
    try (PreparedStatement select =
        c.prepareStatement(
            "select digest, unused_since_millis from blob where kept_until_millis <= ?"
                + " order by kept_until_millis, digest fetch first "
                + most
                + " rows only")) {
      select.setLong(1, nowMillis);
      List<Expired> found = new ArrayList<>();
      try (ResultSet row = select.executeQuery()) {
        while (row.next()) {
          found.add(new Expired(row.getString(1), row.getObject(2) != null));
        }
      }
      return found;
    }
  }

  /** Nothing names it now; false if it was pinned meanwhile. */
  static boolean suspect(Connection c, String digest, long nowMillis, long untilMillis)
      throws SQLException {
    return update(
            c,
            "update blob set unused_since_millis = ?, kept_until_millis = ?"
                + " where digest = ? and kept_until_millis <= ?",
            nowMillis,
            untilMillis,
            digest,
            nowMillis)
        > 0;
  }

  /** Locks the blob if nothing has pinned it meanwhile, to remove it. */
  static Optional<Place> lockExpired(Connection c, String digest, long nowMillis)
      throws SQLException {
    try (PreparedStatement select =
        c.prepareStatement(
            "select content, kept_until_millis from blob"
                + " where digest = ? and kept_until_millis <= ? for update")) {
      select.setString(1, digest);
      select.setLong(2, nowMillis);
      try (ResultSet row = select.executeQuery()) {
        return row.next()
            ? Optional.of(new Place(row.getLong(1), row.getLong(2)))
            : Optional.empty();
      }
    }
  }

  /** The blob belongs to these users from now on and to nobody else. */
  static void moveCharges(Connection c, String digest, Set<String> users, long nowMillis)
      throws SQLException {
    long bytes = number(c, 0, "select bytes from blob where digest = ? for update", digest);
    Set<String> before = charged(c, digest);
    Set<String> changed = new TreeSet<>(before);
    changed.addAll(users);
    for (String user : changed) {
      if (!users.contains(user)) {
        update(
            c,
            "update blob_holder set charged = false where user_name = ? and digest = ?",
            user,
            digest);
        update(c, "update blob_user set bytes = bytes - ? where user_name = ?", bytes, user);
      } else if (!before.contains(user) && chargeAnew(c, user, digest, nowMillis)) {
        credit(c, user, bytes, Long.MAX_VALUE);
      }
    }
  }

  /** Removes a blob that is locked, with what it is charged. */
  static void delete(Connection c, String digest) throws SQLException {
    long bytes = number(c, 0, "select bytes from blob where digest = ?", digest);
    for (String user : charged(c, digest)) {
      update(c, "update blob_user set bytes = bytes - ? where user_name = ?", bytes, user);
    }
    update(c, "delete from blob where digest = ?", digest);
  }

  /** Who is charged for each of the blobs; those that nobody is charged for are not in it. */
  static Map<String, Set<String>> charged(Connection c, Collection<String> digests)
      throws SQLException {
    Map<String, Set<String>> charged = new HashMap<>();
    try (PreparedStatement select =
        c.prepareStatement("select user_name from blob_holder where digest = ? and charged")) {
      for (String digest : digests) {
        select.setString(1, digest);
        try (ResultSet row = select.executeQuery()) {
          while (row.next()) {
            charged.computeIfAbsent(digest, d -> new TreeSet<>()).add(row.getString(1));
          }
        }
      }
    }
    return charged;
  }

  private static Set<String> charged(Connection c, String digest) throws SQLException {
    return charged(c, List.of(digest)).getOrDefault(digest, Set.of());
  }

  static Set<String> all(Connection c) throws SQLException {
    try (PreparedStatement select = c.prepareStatement("select digest from blob");
        ResultSet row = select.executeQuery()) {
      Set<String> all = new TreeSet<>();
      while (row.next()) {
        all.add(row.getString(1));
      }
      return all;
    }
  }

  /**
   * After a start nothing goes for a while: what uses it may have to find its feet again. What is
   * kept for longer than a pin lasts was pinned by a clock that was wrong.
   */
  static void pinAll(Connection c, long untilMillis) throws SQLException {
    update(
        c,
        "update blob set kept_until_millis = ? where kept_until_millis <> ?",
        untilMillis,
        untilMillis);
  }

  /** Takes back what a clock said that was ahead: a pin that begins now ends at that time. */
  static void forgetFuture(Connection c, long nowMillis, long pinMillis) throws SQLException {
    update(
        c,
        "update blob set kept_until_millis = ? where kept_until_millis > ?",
        pinMillis,
        pinMillis);
    update(
        c, "update blob_holder set since_millis = ? where since_millis > ?", nowMillis, nowMillis);
  }
}
