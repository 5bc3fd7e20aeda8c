package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.microsoft.playwright.Page;
import io.gleaner.audit.Actor;
import io.gleaner.authority.PoolRole;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A browser over TLS, from its joining to its end, and how it renews its certificate. */
@Timeout(240)
class BrowserTlsTest {

  @Test
  @Tag("S2")
  void aTabJoinsRenewsAndIsCutOffOverTls() throws Exception {
    try (TestMarket market = TestMarket.startOnTls(TestMarket.seed());
        TestBrowser browser = TestBrowser.open(1280, 800)) {
      Page page = browser.page();
      String console = market.node().addresses().console();
      assertThat(console).startsWith("https://");
      page.navigate(console + "signin");
      String token = market.invites(PoolRole.BROWSER, "vera").token().text().reveal();
      Map<?, ?> first = BrowserPage.member(page, "await volunteer.enrol({ token })", token);
      assertThatThrownBy(() -> BrowserPage.member(page, "await volunteer.renew()", ""))
          .hasMessageContaining("may be renewed from");

      BrowserPage.opens(page);
      assertThat(BrowserPage.welcome(page).getRole()).isEqualTo("browser");
      assertThat(kept(page)).isEqualTo(first);

      var next = market.node().members().rotate(Actor.NODE);
      BrowserPage.opens(page);
      assertThat(BrowserPage.welcome(page).getOwner()).isEqualTo("vera");
      Map<?, ?> second = kept(page);
      assertThat(second.get("pool")).isEqualTo(next.hex()).isNotEqualTo(first.get("pool"));
      assertThat(second.get("serial")).isNotEqualTo(first.get("serial"));
      assertThat(second.get("name")).isEqualTo(first.get("name"));
      assertThat(second.get("extractable")).isEqualTo(false);
      browser.isContent();

      market.node().members().revoke((String) first.get("name"), "tab of a lost machine");
      assertThat((String) BrowserPage.end(page).get("reason")).contains("was revoked");
      assertThatThrownBy(() -> BrowserPage.member(page, "await volunteer.renew()", ""))
          .hasMessageContaining("was revoked");
    }
  }

  private static Map<?, ?> kept(Page page) {
    return BrowserPage.member(page, "await volunteer.member()", "");
  }
}
