package io.gleaner.gateway;

import com.google.protobuf.UnsafeByteOperations;
import io.gleaner.authority.Authority;
import io.gleaner.authority.Certificates;
import io.gleaner.authority.Fingerprint;
import io.gleaner.authority.PoolIdentity;
import io.gleaner.authority.SigningRequest;
import io.gleaner.authority.Trust;
import io.gleaner.enrolment.JoinToken;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.secrets.SecurityRefusal.Code;
import io.gleaner.signing.Digests;
import io.gleaner.signing.ResultSigner;
import io.gleaner.signing.ResultStatement;
import io.gleaner.tls.Credentials;
import io.gleaner.tls.MemberFile;
import io.gleaner.tls.MemberFile.Membership;
import io.gleaner.tls.PoolKeys;
import io.gleaner.tls.PoolTrust;
import io.gleaner.tls.Tls;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a pool on its own machine: its key and certificate in a folder, how it joined, and
 * how it renews. One process at a time writes the folder. Safe for all threads; joining and
 * renewing wait for a node.
 */
public final class PoolMember {
  private static final Logger LOG = LoggerFactory.getLogger(PoolMember.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final MemberFile file;
  private final InstantSource clock;
  private final SSLContext context;
  private final RefusedNodes refused;
  private volatile Membership membership;

  private PoolMember(Path folder, MemberFile file, Membership membership, InstantSource clock) {
    this.file = file;
    this.refused = RefusedNodes.in(folder);
    this.clock = clock;
    this.membership = membership;
    this.context =
        Tls.context(
            PoolKeys.of(() -> this.membership.credentials()),
            PoolTrust.ofMember(() -> this.membership.trust(), refused::has, clock));
  }

  /**
   * The member that the folder holds, or empty if it has not joined.
   *
   * @throws SecurityRefusal if its file is damaged or others can read it
   */
  public static Optional<PoolMember> in(Path folder, InstantSource clock) {
    MemberFile file = new MemberFile(folder, clock);
    return file.read().map(membership -> new PoolMember(folder, file, membership, clock));
  }

  /**
   * Makes a key in the folder and joins with it; a member that the folder held is replaced. Who
   * lost the answer calls this again.
   *
   * @param addresses of nodes of the pool, in the order in which they are tried
   * @throws GatewayException if none answers, or the token is refused
   * @throws SecurityRefusal if what answers is not of the token's pool
   */
  public static PoolMember join(
      Path folder, List<GatewayAddress> addresses, JoinToken token, InstantSource clock) {
    MemberFile file = new MemberFile(folder, clock);
    Joining.Answer answer =
        Joining.ask(
            addresses,
            Tls.context(PoolKeys.none(), PoolTrust.ofToken(token, clock)),
            question(file).setToken(token.secret().reveal()).build(),
            PATIENCE);
    Trust by = PoolTrust.trustOf(token, answer.shown(), clock);
    return new PoolMember(folder, file, file.joined(answer.certificates(), by), clock);
  }

  /**
   * The member that the folder holds; a new one by the token if it holds none, or one that has
   * ended or is of another pool than the token.
   *
   * @throws SecurityRefusal if there is neither a member nor a token, or what answers is not of the
   *     token's pool
   * @throws GatewayException if it has to join, and no node answers or the token is refused
   */
  public static PoolMember inOrJoined(
      Path folder, List<GatewayAddress> addresses, Optional<JoinToken> token, InstantSource clock) {
    Optional<PoolMember> there = in(folder, clock);
    boolean stays =
        there.isPresent()
            && !there.get().hasEnded()
            && (token.isEmpty() || there.get().isOfPoolOf(token.get()));
    if (stays) {
      return there.get();
    }
    return join(
        folder,
        addresses,
        token.orElseThrow(() -> new SecurityRefusal(Code.TOKEN_MISSING, missing(folder, there))),
        clock);
  }

  private static String missing(Path folder, Optional<PoolMember> there) {
    return there
            .map(ended -> "the certificate in " + folder + " ended at " + ended.ends())
            .orElse("there is no certificate in " + folder)
        + "; a join token is needed: ask the operator of the node for one ('gleaner invite')";
  }

  private static Wire.Join.Builder question(MemberFile file) {
    return Wire.Join.newBuilder()
        .setRequest(UnsafeByteOperations.unsafeWrap(SigningRequest.encode(file.pendingKey())));
  }

  /** Whether the token is of the pool that this is a member of. */
  public boolean isOfPoolOf(JoinToken token) {
    return membership.trust().authorities().stream()
        .anyMatch(authority -> token.isOf(Fingerprint.of(authority)));
  }

  /** Signs with the key of the certificate that this has then. */
  public ResultSigner.Signed sign(ResultStatement statement) {
    Credentials own = membership.credentials();
    return new ResultSigner.Signed(
        Certificates.serial(own.certificate()), Digests.hex(statement.sign(own.key())));
  }

  public PoolIdentity identity() {
    return membership.identity();
  }

  /** When the certificate ends. */
  public Instant ends() {
    return certificate().getNotAfter().toInstant();
  }

  /** Whether the certificate has ended: only a new token helps then. */
  public boolean hasEnded() {
    return clock.instant().isAfter(ends());
  }

  /** For connections to nodes; shows what this has at the time of each handshake. */
  public SSLContext context() {
    return context;
  }

  RefusedNodes refused() {
    return refused;
  }

  /**
   * Renews the certificate in the last third of its life.
   *
   * @return whether there is a new one
   * @throws GatewayException if no node answers, or it refuses
   */
  public synchronized boolean renewIfDue(List<GatewayAddress> addresses) {
    if (hasEnded() || clock.instant().isBefore(Authority.renewableFrom(certificate()))) {
      return false;
    }
    Joining.Answer answer = Joining.ask(addresses, context, question(file).build(), PATIENCE);
    membership = file.joined(answer.certificates(), membership.trust());
    return true;
  }

  /** As {@link #renewIfDue}; what stands in its way is logged, and time passes. */
  public boolean tryToRenew(List<GatewayAddress> addresses) {
    try {
      boolean renewed = renewIfDue(addresses);
      if (renewed) {
        LOG.info("the certificate of {} is good until {}", identity(), ends());
      }
      return renewed;
    } catch (GatewayException | SecurityRefusal e) {
      LOG.warn(
          "the certificate of {} ends at {} and was not renewed: {}",
          identity(),
          ends(),
          e.getMessage());
      return false;
    }
  }

  private X509Certificate certificate() {
    return membership.credentials().certificate();
  }
}
