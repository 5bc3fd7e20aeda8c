package io.gleaner.bag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.gleaner.audit.Actor;
import io.gleaner.audit.Deed;
import io.gleaner.audit.SecurityEvent;
import io.gleaner.bag.Signers.Known;
import io.gleaner.signing.Signer;
import io.gleaner.signing.SignerKey;
import io.gleaner.tuple.SignerEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose signatures the pool vouches for, on a real space and a real database. */
@Timeout(120)
@Tag("S1")
class SpaceSignersTest {
  private static final Actor ALICE = new Actor("alice", "here");
  private static final Actor BOB = new Actor("bob", "there");

  @TempDir Path folder;
  private BagNode node;

  @BeforeEach
  void start() throws Exception {
    node = BagNode.start(folder);
    node.ledger().grant("alice", 1_000_000_000, "start");
  }

  @AfterEach
  void end() {
    node.close();
  }

  @Test
  void aKeyIsOneUsersOnlyAndWhatIsRevokedStaysSoThoughTheSpaceIsAnother() throws Exception {
    Signer key = SignerKey.create(folder.resolve("alice")).signer();
    node.signers().add(ALICE, key);
    assertThat(node.signers().add(ALICE, key)).isEqualTo(new Known(key.hex(), "alice", false));
    assertThatThrownBy(() -> node.signers().add(BOB, key))
        .hasMessageContaining("is the key of another user already");
    String program = "d".repeat(64);
    node.signers().revoke(program, BOB);
    node.signers().revoke(key.hex(), ALICE);
    node.signers().revoke(key.hex(), BOB);

    node.restartsWithAFreshSpace();

    assertThat(node.signers().vouchesFor(key)).isFalse();
    assertThat(node.read(SignerEntry.of(key.hex(), true))).isNotNull();
    assertThat(node.read(SignerEntry.of(key.hex(), false))).isNull();
    assertThat(node.read(SignerEntry.of(program, true))).isNotNull();
    assertThatThrownBy(() -> node.signers().add(ALICE, key)).hasMessageContaining("was revoked");
    assertThat(node.securityLog())
        .extracting(SecurityEvent::deed, event -> event.by().name(), SecurityEvent::subject)
        .containsExactly(
            tuple(Deed.SIGNER_ADDED, "-", node.signers().node().signer().hex()),
            tuple(Deed.SIGNER_ADDED, "alice", key.hex()),
            tuple(Deed.PROGRAM_REVOKED, "bob", program),
            tuple(Deed.SIGNER_REVOKED, "alice", key.hex()));
  }

  @Test
  void aNodeWhoseKeyWasRevokedTakesNoMoneyAndHasAnotherKeyAfterItsNextStart() throws Exception {
    Signer old = node.signers().node().signer();
    assertThat(node.signers().list(Optional.of(SpaceSigners.NODE)))
        .containsExactly(new Known(old.hex(), SpaceSigners.NODE, false));
    node.signers().revoke(old.hex(), ALICE);

    assertThatThrownBy(() -> node.submits("alice", 3, "budget: 50", "k"))
        .isInstanceOf(BagException.class)
        .hasMessageContaining("the key with which this node signs programs was revoked");
    assertThat(node.bags().list(Optional.empty(), 10)).isEmpty();
    assertThat(node.ledger().balance("user/alice")).isEqualTo(1_000_000_000);

    node.restarts();
    assertThat(node.signers().node().signer()).isNotEqualTo(old);
    assertThat(node.submits("alice", 3, "budget: 50", "k").state()).isEqualTo("OPEN");
    node.restarts();
    assertThat(node.signers().list(Optional.of(SpaceSigners.NODE))).hasSize(2);
    assertThat(node.brokenInvariants()).isEmpty();
  }

  @Test
  void whatAnEarlierVersionKeptInTheSpaceOnlyIsLearnedIfItRevokesAndElseGone() throws Exception {
    List<String> subjects = List.of("a".repeat(64), "b".repeat(64));
    for (String subject : subjects) {
      SignerEntry entry = SignerEntry.of(subject, subject.startsWith("b"));
      entry.owner = "alice";
      node.space().write(entry, null, Lease.FOREVER);
    }

    node.restarts();

    assertThat(node.read(SignerEntry.of(subjects.get(0), false))).isNull();
    assertThat(node.signers().isRevoked(subjects.get(1))).isTrue();
  }
}
