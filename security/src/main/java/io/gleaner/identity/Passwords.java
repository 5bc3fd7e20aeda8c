package io.gleaner.identity;

import io.gleaner.secrets.Secret;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Argon2id hashes in the usual text form {@code $argon2id$v=19$m=19456,t=2,p=1$salt$hash}.
 *
 * <p>19 MiB and two passes are what OWASP's password storage sheet asks for at least. At most two
 * hashes are computed at a time, so that sign-ins cannot eat the memory of a node.
 */
final class Passwords {
  private static final int MEMORY_KIB = 19 * 1024;
  private static final int PASSES = 2;
  private static final int LANES = 1;
  private static final int SALT_BYTES = 16;
  private static final int HASH_BYTES = 32;
  private static final int AT_A_TIME = 2;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Semaphore PERMITS = new Semaphore(AT_A_TIME);

  private Passwords() {}

  static String hash(Secret password) {
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    byte[] hash = argon2id(password, salt, MEMORY_KIB, PASSES, LANES, HASH_BYTES);
    Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
    return "$argon2id$v=19$m="
        + MEMORY_KIB
        + ",t="
        + PASSES
        + ",p="
        + LANES
        + "$"
        + base64.encodeToString(salt)
        + "$"
        + base64.encodeToString(hash);
  }

  /** Whether the password is the one of the hash; the hash says its own parameters. */
  static boolean matches(Secret password, String encoded) {
    String[] parts = encoded.split("\\$", -1);
    if (parts.length != 6 || !parts[1].equals("argon2id") || !parts[2].equals("v=19")) {
      throw new IllegalStateException(
          "a password hash in the database is not Argon2id, version 19");
    }
    String[] costs = parts[3].split(",", -1);
    byte[] salt = Base64.getDecoder().decode(parts[4]);
    byte[] expected = Base64.getDecoder().decode(parts[5]);
    byte[] actual =
        argon2id(password, salt, cost(costs[0]), cost(costs[1]), cost(costs[2]), expected.length);
    return MessageDigest.isEqual(expected, actual);
  }

  private static int cost(String setting) {
    return Integer.parseInt(setting.substring(setting.indexOf('=') + 1));
  }

  private static byte[] argon2id(
      Secret password, byte[] salt, int memoryKib, int passes, int lanes, int hashBytes) {
    byte[] hash = new byte[hashBytes];
    PERMITS.acquireUninterruptibly();
    try {
      Argon2BytesGenerator generator = new Argon2BytesGenerator();
      generator.init(
          new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
              .withVersion(Argon2Parameters.ARGON2_VERSION_13)
              .withSalt(salt)
              .withMemoryAsKB(memoryKib)
              .withIterations(passes)
              .withParallelism(lanes)
              .build());
      generator.generateBytes(password.revealBytes(), hash);
    } finally {
      PERMITS.release();
    }
    return hash;
  }
}
