package io.gleaner.sandbox.child;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Loads a bundle that sees the JDK and {@code io.gleaner.api}, and nothing else of this process.
 */
final class BundleLoader extends URLClassLoader {

  /** The parent: the JDK's loaders, and of ours only the task interface. */
  private static final class Visible extends ClassLoader {
    private static final String API = "io.gleaner.api.";

    Visible() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (name.startsWith(API)) {
        return BundleLoader.class.getClassLoader().loadClass(name);
      }
      throw new ClassNotFoundException(name);
    }
  }

  private BundleLoader(URL bundle) {
    super("bundle", new URL[] {bundle}, new Visible());
  }

  /**
   * Opens a bundle.
   *
   * @throws IOException if it cannot be read or its bytes are not those of the digest
   */
  static BundleLoader open(Path bundle, String digest) throws IOException {
    String actual = sha256(bundle);
    if (!actual.equals(digest)) {
      throw new IOException(
          "the bundle has the digest " + actual + ", expected " + digest + "; it was not loaded");
    }
    return new BundleLoader(bundle.toUri().toURL());
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        digest.update(buffer, 0, n);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
