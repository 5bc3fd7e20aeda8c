package io.gleaner.sandbox;

import io.gleaner.sandbox.programs.Programs;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Packs the programs of the tests into a jar. */
public final class Bundles {
  private Bundles() {}

  /** Writes the jar with all programs. */
  public static Path writeTo(Path folder) throws IOException {
    Path jar = folder.resolve("programs.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Class<?> type : Programs.class.getDeclaredClasses()) {
        String name = type.getName().replace('.', '/') + ".class";
        JarEntry entry = new JarEntry(name);
        entry.setTime(0);
        out.putNextEntry(entry);
        try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
          in.transferTo(out);
        }
      }
    }
    return jar;
  }

  public static String digest(Path file) throws IOException {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public static Program program(Path jar, Class<?> entryPoint) throws IOException {
    return new Program(jar, digest(jar), entryPoint.getName(), 48);
  }
}
