package io.gleaner.bag;

import io.gleaner.blob.BlobUse;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;

/**
 * The blobs that bags use: their files and the results of their tasks, those included that are not
 * decided yet. They belong to the owner of the bag.
 */
public final class BagBlobs implements BlobUse {
  private static final int ROWS_AT_ONCE = 1000;

  private final DataSource source;

  public BagBlobs(DataSource source) {
    this.source = source;
  }

  @Override
  public Map<String, Set<String>> among(Set<String> digests) throws IOException {
    Map<String, Set<String>> used = new HashMap<>();
    try (Connection connection = source.getConnection()) {
      // A server sends rows in parts only then.
      connection.setAutoCommit(false);
      try (PreparedStatement files = connection.prepareStatement("select owner, files from bag")) {
        files.setFetchSize(ROWS_AT_ONCE);
        try (ResultSet row = files.executeQuery()) {
          while (row.next()) {
            note(used, digests, row.getString(1), FileList.read(row.getString(2)).values());
          }
        }
      }
      for (String table : List.of("task_outcome", "verification_claim")) {
        outputs(connection, table, digests, used);
      }
      connection.rollback();
    } catch (SQLException e) {
      throw new IOException("the bags cannot tell now which blobs they use", e);
    }
    return used;
  }

  private static void outputs(
      Connection connection, String table, Set<String> digests, Map<String, Set<String>> used)
      throws SQLException {
    try (PreparedStatement outputs =
        connection.prepareStatement(
            "select b.owner, t.output_digest from "
                + table
                + " t join bag b on b.job_id = t.job_id where t.output_digest is not null")) {
      outputs.setFetchSize(ROWS_AT_ONCE);
      try (ResultSet row = outputs.executeQuery()) {
        while (row.next()) {
          note(used, digests, row.getString(1), List.of(row.getString(2)));
        }
      }
    }
  }

  private static void note(
      Map<String, Set<String>> used, Set<String> digests, String owner, Collection<String> named) {
    for (String digest : named) {
      if (digests.contains(digest)) {
        used.computeIfAbsent(digest, d -> new TreeSet<>()).add(owner);
      }
    }
  }
}
