package io.gleaner.pages;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tamper evidence as auditors meet it over REST. */
@Timeout(60)
class AuditRestTest extends WithConsole {
  private static final String VERIFICATION = "/api/v1/audit/verification";

  @Test
  void aChangedPostingIsFoundAndWhatWasKeptElsewhereFindsAnEndThatWasCutOff() throws Exception {
    Client auditor = console.program("auda");
    JsonNode clean = json(auditor.postJson(VERIFICATION, "{}").body());
    assertThat(clean.path("clean").asBoolean()).isTrue();
    assertThat(clean.path("audit").path("chains").get(0).path("lines").asInt()).isEqualTo(3);

    JsonNode kept = json(auditor.get("/api/v1/audit/checkpoints").body()).path("checkpoints");
    assertThat(kept.get(0).asString())
        .startsWith("gleaner-checkpoint: 1\nchain: ledger\nline: 3\n");

    console.tampers("update ledger_posting set at_micros = 7 where id = 2");
    JsonNode found = json(auditor.postJson(VERIFICATION, "{}").body());
    assertThat(found.path("clean").asBoolean()).isFalse();
    assertThat(
            found.path("audit").path("chains").get(0).path("findings").get(0).path("line").asInt())
        .isEqualTo(2);

    console.tampers("delete from ledger_line where posting = 3");
    console.tampers("delete from ledger_posting where id = 3");
    console.tampers("delete from chain_checkpoint");
    String brought = JsonMapper.shared().writeValueAsString(java.util.Map.of("checkpoints", kept));
    assertThat(auditor.postJson(VERIFICATION, brought).body()).contains("the end was cut off");
  }

  @Test
  void onlyOperatorsAndAuditorsLook() {
    for (String user : new String[] {"olga", "auda"}) {
      assertThat(console.program(user).get("/api/v1/audit/log").statusCode()).isEqualTo(200);
    }
    for (String user : new String[] {"alice", "otto"}) {
      Client program = console.program(user);
      assertThat(program.get("/api/v1/audit/log").statusCode()).isEqualTo(403);
      assertThat(program.get("/api/v1/audit/checkpoints").statusCode()).isEqualTo(403);
      assertThat(program.postJson(VERIFICATION, "{}").statusCode()).isEqualTo(403);
    }
  }

  @Test
  void whatIsNoCheckpointIsRefused() {
    Client auditor = console.program("auda");
    for (String body :
        new String[] {
          "{\"checkpoints\":[\"x\"]}", "{\"signers\":[\"00\"]}", "{\"other\":1}", "[]", ""
        }) {
      assertThat(auditor.postJson(VERIFICATION, body).statusCode()).as(body).isEqualTo(400);
    }
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}
