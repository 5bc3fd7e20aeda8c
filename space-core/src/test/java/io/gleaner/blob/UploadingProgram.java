package io.gleaner.blob;

import io.gleaner.storage.Database;
import io.gleaner.storage.Schema;
import io.gleaner.storage.TestStore;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;

/** Puts one blob, says so, and uploads another that never ends, until it is killed. */
final class UploadingProgram {
  private UploadingProgram() {}

  /** Arguments: the place of the database, the folder. */
  public static void main(String[] arguments) throws Exception {
    Database database = TestStore.open(arguments[0], Schema.NODE);
    KeptBlobs blobs =
        KeptBlobs.open(
            database, Path.of(arguments[1]), BlobSettings.standard(), InstantSource.system());
    System.out.println("put " + blobs.of("ada").put(new byte[600_000]));
    blobs
        .of("ada")
        .put(
            new InputStream() {
              private int sent;

              @Override
              public int read() {
                throw new AssertionError("read in parts");
              }

              @Override
              public int read(byte[] bytes, int offset, int length) {
                if (sent / 1_000_000 != (sent + length) / 1_000_000) {
                  System.out.println("sent " + sent);
                }
                sent += length;
                return length;
              }
            });
  }
}
