package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.authority.Fingerprint;
import io.gleaner.signing.SignerKey;
import io.gleaner.signing.SignerProof;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

/** Keys that sign programs, over REST: nobody adds a key that they do not have. */
@Timeout(60)
@Tag("S1")
class SignerRestTest extends WithConsole {
  private static final String SIGNERS = "/api/v1/signers";

  @Test
  void aKeyIsAddedByWhoeverHasItForThemselvesAndInThisPoolOnly() {
    Client alice = console.program("alice");
    String pool = pool(alice);
    SignerKey key = SignerKey.create(folder.resolve("key"));

    assertThat(add("bob", key, Optional.empty())).isEqualTo(400);
    assertThat(add("bob", key, Optional.of("0".repeat(128)))).isEqualTo(400);
    assertThat(add("bob", key, Optional.of(SignerProof.make(pool, "alice", key)))).isEqualTo(400);
    String elsewhere = SignerProof.make("0".repeat(64), "alice", key);
    assertThat(add("alice", key, Optional.of(elsewhere))).isEqualTo(400);
    SignerKey other = SignerKey.create(folder.resolve("other"));
    assertThat(add("alice", key, Optional.of(SignerProof.make(pool, "alice", other))))
        .isEqualTo(400);
    assertThat(alice.get(SIGNERS).body()).doesNotContain(key.signer().hex());

    assertThat(add("alice", key, Optional.of(SignerProof.make(pool, "alice", key)))).isEqualTo(201);
    String revoke = SIGNERS + "/" + key.signer().hex() + "/revoke";
    assertThat(console.program("bob").postJson(revoke, "{}").statusCode()).isEqualTo(403);
    assertThat(alice.postJson(revoke, "{}").statusCode()).isEqualTo(200);
    assertThat(alice.postJson(revoke, "{}").statusCode()).as("asked again").isEqualTo(200);
    assertThat(console.program("bob").postJson(revoke, "{}").statusCode()).isEqualTo(403);
  }

  private int add(String user, SignerKey key, Optional<String> proof) {
    Map<String, String> body = new HashMap<>();
    body.put("signer", key.signer().hex());
    proof.ifPresent(given -> body.put("proof", given));
    String json = JsonMapper.shared().writeValueAsString(body);
    return console.program(user).postJson(SIGNERS, json).statusCode();
  }

  private static String pool(Client client) {
    String text = client.get("/api/v1/authority").body();
    return Fingerprint.parse(
            JsonMapper.shared().readTree(text).path("fingerprints").path(0).asString())
        .hex();
  }
}
