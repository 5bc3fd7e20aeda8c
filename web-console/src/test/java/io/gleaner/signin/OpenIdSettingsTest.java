package io.gleaner.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.identity.Role;
import io.gleaner.secrets.Secret;
import io.gleaner.secrets.SecurityRefusal;
import io.gleaner.signin.Admission.Condition;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which providers are taken, whom of theirs, and how many sign-ins are remembered. */
@Tag("S10")
class OpenIdSettingsTest {
  private static OpenIdSettings settings(String issuer, Admission admission) {
    return new OpenIdSettings(
        issuer,
        "console",
        Secret.of("secret"),
        "Works",
        List.of("groups"),
        admission,
        OpenIdSettings.USUAL_PATIENCE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://login.example.com",
        "http://127.0.0.1.example.com",
        "ftp://127.0.0.1",
        "",
        "https://",
        "issuer",
        "https://a@login.example.com",
        "https://login.example.com#x",
        "https://login.example.com?x=y",
        "https://login example.com"
      })
  void onlyAddressesThatNobodyListensToAreIssuers(String issuer) {
    assertThatThrownBy(() -> settings(issuer, Admission.usual()))
        .isInstanceOf(SecurityRefusal.class)
        .hasMessageContaining("is no issuer; expected https://");
  }

  @Test
  void aProviderOnHttpsNamesNothingInClearText() {
    OpenIdSettings settings = settings("https://login.example.com/realm", Admission.usual());
    assertThat(settings.isSafeBeside("https://keys.example.com/jwks?p=1")).isTrue();
    assertThat(settings.isSafeBeside("http://127.0.0.1:80/jwks")).isFalse();
    assertThat(
            settings("http://127.0.0.1:8080", Admission.usual()).isSafeBeside("http://localhost"))
        .isTrue();
    assertThat(settings.scopes()).isEqualTo("openid profile groups");
  }

  @Test
  void whoIsTakenByTheirClaims() {
    Admission byGroup = allowing("groups=gleaner", "hd=example.com");
    assertThat(byGroup.admits(Map.of("groups", List.of("a", "gleaner")))).isTrue();
    assertThat(byGroup.admits(Map.of("groups", "gleaner"))).isTrue();
    assertThat(byGroup.admits(Map.of("hd", "example.com"))).isTrue();
    assertThat(byGroup.admits(Map.of("groups", List.of("gleaners"), "hd", "example.org")))
        .isFalse();
    assertThat(byGroup.admits(Map.of())).isFalse();

    Admission byMail = allowing("email=*@example.com");
    Map<String, Object> verified = Map.of("email", "Nina@Example.com", "email_verified", true);
    assertThat(byMail.admits(verified)).isTrue();
    assertThat(byMail.admits(Map.of("email", "nina@example.com"))).isFalse();
    assertThat(byMail.admits(Map.of("email", "nina@example.com", "email_verified", false)))
        .isFalse();
    assertThat(byMail.admits(Map.of("email", "a@example.com@evil", "email_verified", true)))
        .isFalse();
    assertThat(byMail.admits(Map.of("email", "a@sub.example.com", "email_verified", true)))
        .isFalse();
    assertThat(settings("https://login.example.com", byMail).scopes())
        .isEqualTo("openid profile email groups");
    Admission named = new Admission("email", Set.of(Role.OWNER), List.of());
    assertThat(named.name(verified)).isEqualTo("Nina@Example.com");
    assertThat(named.name(Map.of("email", "nina@example.com"))).isEmpty();
    assertThat(Admission.usual().name(Map.of("preferred_username", 7))).isEmpty();
  }

  @Test
  void nobodyBecomesAnOperatorByComing() {
    for (Set<Role> roles :
        List.of(Set.<Role>of(), Set.of(Role.OPERATOR), Set.of(Role.OWNER, Role.AUDITOR))) {
      assertThatThrownBy(() -> new Admission("sub", roles, List.of()))
          .isInstanceOf(SecurityRefusal.class)
          .hasMessageContaining("gleaner users roles");
    }
    for (String wrong : List.of("", "groups", "=x", "groups=", "two words=x")) {
      assertThatThrownBy(() -> Condition.parse(wrong)).isInstanceOf(SecurityRefusal.class);
    }
  }

  private static Admission allowing(String... conditions) {
    return new Admission(
        Admission.USUAL_CLAIM,
        Set.of(Role.SUBMITTER),
        List.of(conditions).stream().map(Condition::parse).toList());
  }

  @Test
  void signInsUnderWayAreTakenOnceInTimeAndNobodyPushesOthersOut() {
    Instant[] now = {Instant.EPOCH};
    OpenIdFlows flows = new OpenIdFlows(() -> now[0], 5, 20);
    OpenIdFlow honest = OpenIdFlow.begin("http://x/back", "/", "192.0.2.7", now[0]);
    flows.begin(honest);
    for (int i = 0; i < 50; i++) {
      flows.begin(OpenIdFlow.begin("http://x/back", "/", "192.0.2.8", now[0]));
    }
    assertThat(flows.count()).isEqualTo(1 + 5);
    assertThat(flows.take(honest.state().reveal())).contains(honest);
    assertThat(flows.take(honest.state().reveal())).isEmpty();
    for (int i = 0; i < 50; i++) {
      flows.begin(OpenIdFlow.begin("http://x/back", "/", "network " + i, now[0]));
    }
    assertThat(flows.count()).isEqualTo(20);

    OpenIdFlow late = OpenIdFlow.begin("http://x/back", "/", "192.0.2.7", now[0]);
    flows.begin(late);
    now[0] = now[0].plus(OpenIdFlows.LONGEST);
    assertThat(flows.take(late.state().reveal())).isEmpty();
    flows.begin(OpenIdFlow.begin("http://x/back", "/", "192.0.2.7", now[0]));
    assertThat(flows.count()).isEqualTo(1);
  }
}
