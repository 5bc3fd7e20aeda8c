package io.gleaner.blob;

import io.gleaner.signing.Digests;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Contents as rows of {@code blob_chunk}, for nodes that share a database. Each chunk of an upload
 * is a transaction; those of an upload that did not end belong to no blob and are swept when nobody
 * has touched them for an hour. Safe for all threads and processes.
 */
final class ChunkRows implements BlobContents {
  private static final int CHUNK_BYTES = Incoming.CHUNK_BYTES;
  private static final long LEFT_BEHIND_MILLIS = Duration.ofHours(1).toMillis();

  private final BlobRows rows;
  private final InstantSource clock;

  ChunkRows(BlobRows rows, InstantSource clock) {
    this.rows = rows;
    this.clock = clock;
  }

  @Override
  public Received receive() {
    return new Chunked();
  }

  /** What came; the last chunk waits in memory for the transaction that keeps the blob. */
  private final class Chunked implements Received {
    private final MessageDigest hash = Digests.sha256();
    private long bytes;
    private byte[] last = {};
    private int parts;
    private long content;

    @Override
    public void add(byte[] chunk) throws IOException {
      if (parts > 0) {
        if (last.length != CHUNK_BYTES) {
          throw new IllegalStateException("a chunk of " + last.length + " bytes before the last");
        }
        rows.run(
            "store a part of a blob",
            c -> {
              begin(c);
              return insert(c);
            });
      }
      hash.update(chunk);
      last = chunk;
      bytes += chunk.length;
      parts++;
    }

    @Override
    public String complete() throws IOException {
      if (parts == 0 || last.length == CHUNK_BYTES) {
        add(new byte[0]); // readers know the last chunk by its length
      }
      return Digests.hex(hash.digest());
    }

    private void begin(Connection c) throws SQLException, IOException {
      long now = clock.millis();
      if (content == 0) {
        try (PreparedStatement insert =
            c.prepareStatement(
                "insert into blob_upload (touched_millis) values (?)", new String[] {"content"})) {
          insert.setLong(1, now);
          insert.executeUpdate();
          try (ResultSet key = insert.getGeneratedKeys()) {
            key.next();
            content = key.getLong(1);
          }
        }
      } else if (BlobRows.update(
              c, "update blob_upload set touched_millis = ? where content = ?", now, content)
          == 0) {
        throw new IOException("this upload stood still for so long that it was removed");
      }
    }

    private int insert(Connection c) throws SQLException {
      return BlobRows.update(
          c,
          "insert into blob_chunk (content, part, bytes) values (?, ?, ?)",
          content,
          parts - 1,
          last);
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public long keep(Connection transaction) throws SQLException, IOException {
      begin(transaction);
      insert(transaction);
      BlobRows.update(transaction, "delete from blob_upload where content = ?", content);
      return content;
    }

    @Override
    public void close() throws IOException {
      if (content != 0) {
        // One that was kept has no row there any more, unless its transaction failed.
        drop(content, Long.MAX_VALUE);
      }
    }
  }

  private boolean drop(long content, long untouchedSince) throws IOException {
    return rows.run(
        "remove an upload",
        c -> {
          int dropped =
              BlobRows.update(
                  c,
                  "delete from blob_upload where content = ? and touched_millis <= ?",
                  content,
                  untouchedSince);
          if (dropped > 0) {
            remove(c, content);
          }
          return dropped > 0;
        });
  }

  @Override
  public InputStream open(String digest, long content) throws IOException {
    Chunks chunks = new Chunks(digest, content);
    chunks.fetch();
    return chunks;
  }

  /** Reads one row at a time. For one thread. */
  private final class Chunks extends InputStream {
    private final String digest;
    private final long content;
    private byte[] chunk = {};
    private int position;
    private int part;
    private boolean atEnd;

    Chunks(String digest, long content) {
      this.digest = digest;
      this.content = content;
    }

    void fetch() throws IOException {
      List<byte[]> found =
          rows.run(
              "read a part of a blob",
              c -> {
                try (PreparedStatement select =
                    c.prepareStatement(
                        "select bytes from blob_chunk where content = ? and part = ?")) {
                  BlobRows.set(select, content, part);
                  try (ResultSet row = select.executeQuery()) {
                    return row.next() ? List.of(row.getBytes(1)) : List.of();
                  }
                }
              });
      if (found.isEmpty()) {
        throw new FileNotFoundException("there is no blob " + digest + " in this store any more");
      }
      chunk = found.get(0);
      position = 0;
      part++;
      atEnd = chunk.length < CHUNK_BYTES;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (position == chunk.length && !atEnd) {
        fetch();
      }
      if (position == chunk.length) {
        return -1;
      }
      int count = Math.min(length, chunk.length - position);
      System.arraycopy(chunk, position, bytes, offset, count);
      position += count;
      return count;
    }
  }

  @Override
  public void remove(Connection transaction, long content) throws SQLException {
    BlobRows.update(transaction, "delete from blob_chunk where content = ?", content);
  }

  @Override
  public void removed(String digest) {
    // All of it was in the database.
  }

  @Override
  public void sweep() throws IOException {
    long before = clock.millis() - LEFT_BEHIND_MILLIS;
    List<Long> left =
        rows.run(
            "look for uploads that were left behind",
            c -> {
              try (PreparedStatement select =
                  c.prepareStatement("select content from blob_upload where touched_millis <= ?")) {
                select.setLong(1, before);
                List<Long> found = new ArrayList<>();
                try (ResultSet row = select.executeQuery()) {
                  while (row.next()) {
                    found.add(row.getLong(1));
                  }
                }
                return found;
              }
            });
    for (long content : left) {
      drop(content, before);
    }
  }

  @Override
  public Set<String> stray() {
    return Set.of();
  }

  @Override
  public long strayBytes(String digest) throws IOException {
    throw new FileNotFoundException("there is no blob " + digest + " outside of the catalogue");
  }
}
