package io.gleaner.space.hosting;

import com.hazelcast.nio.MemberSocketInterceptor;
import io.gleaner.secrets.Secret;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Properties;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Lets a connection between members begin only if both ends know the secret. Each proves it by a
 * keyed hash over both ends' random numbers and its role, so that nothing is learned by listening
 * and no proof can be used again or sent back. Safe for all threads.
 *
 * <p>The bytes that follow are in clear text, which is why members listen on loopback only.
 */
final class SharedSecret implements MemberSocketInterceptor {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int NUMBER_BYTES = 32;
  private static final int PROOF_BYTES = 32;
  private static final int PATIENCE_MILLIS = 3_000;
  private static final byte CONNECTING = 'c';
  private static final byte ACCEPTING = 'a';

  private final SecureRandom random = new SecureRandom();
  private final Secret secret;
  private volatile boolean accepting;

  SharedSecret(Secret secret) {
    this.secret = secret;
  }

  /** From now on other members may come. */
  void letIn() {
    accepting = true;
  }

  @Override
  public void init(Properties properties) {}

  @Override
  public void onConnect(Socket socket) throws IOException {
    prove(socket, CONNECTING, ACCEPTING);
  }

  @Override
  public void onAccept(Socket socket) throws IOException {
    if (!accepting) {
      throw new IOException("this member is not ready for others yet");
    }
    prove(socket, ACCEPTING, CONNECTING);
  }

  private void prove(Socket socket, byte here, byte there) throws IOException {
    int before = socket.getSoTimeout();
    socket.setSoTimeout(PATIENCE_MILLIS);
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] ours = new byte[NUMBER_BYTES];
    random.nextBytes(ours);
    out.write(ours);
    out.flush();
    byte[] theirs = new byte[NUMBER_BYTES];
    in.readFully(theirs);
    out.write(proof(here, ours, theirs));
    out.flush();
    byte[] proof = new byte[PROOF_BYTES];
    in.readFully(proof);
    if (!MessageDigest.isEqual(proof, proof(there, theirs, ours))) {
      throw new IOException(
          "the other end of this connection does not know the secret of the cluster; expected a"
              + " member with the same secret");
    }
    socket.setSoTimeout(before);
  }

  private byte[] proof(byte role, byte[] prover, byte[] verifier) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.revealBytes(), ALGORITHM));
      mac.update(role);
      mac.update(prover);
      mac.update(verifier);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JVM has no " + ALGORITHM, e);
    }
  }
}
