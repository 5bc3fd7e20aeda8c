package io.gleaner.authority;

import io.gleaner.secrets.SecretFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Encrypted keys as files of their owner's only: {@code authority-<fingerprint>.p8}. */
public final class FolderAuthorityKeys implements AuthorityKeys {
  private final Path folder;

  public FolderAuthorityKeys(Path folder) {
    this.folder = folder;
  }

  @Override
  public void write(Fingerprint authority, byte[] sealed) {
    SecretFile.writeBytes(file(authority), sealed);
  }

  @Override
  public Optional<byte[]> read(Fingerprint authority) {
    Path file = file(authority);
    return Files.exists(file) ? Optional.of(SecretFile.readBytes(file)) : Optional.empty();
  }

  @Override
  public void remove(Fingerprint authority) {
    try {
      Files.deleteIfExists(file(authority));
    } catch (IOException e) {
      throw new UncheckedIOException("the key of an authority could not be removed", e);
    }
  }

  private Path file(Fingerprint authority) {
    return folder.resolve("authority-" + authority.hex() + ".p8");
  }
}
