package io.gleaner.space.hosting;

import io.gleaner.secrets.Secret;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Both ends prove that they know a secret, by a keyed hash over both ends' random numbers and their
 * role, so that nothing is learned by listening and no proof can be used again or sent back. Safe
 * for all threads.
 */
final class SecretHandshake implements MemberGate.Handshake {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int NUMBER_BYTES = 32;
  private static final int PROOF_BYTES = 32;
  private static final byte CONNECTING = 'c';
  private static final byte ACCEPTING = 'a';

  private final SecureRandom random = new SecureRandom();
  private final Secret secret;

  SecretHandshake(Secret secret) {
    this.secret = secret;
  }

  @Override
  public void prove(Socket socket, boolean accepting) throws IOException {
    byte here = accepting ? ACCEPTING : CONNECTING;
    byte there = accepting ? CONNECTING : ACCEPTING;
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
