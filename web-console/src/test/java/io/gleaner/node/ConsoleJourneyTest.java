package io.gleaner.node;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import io.gleaner.node.tasks.SquareTask;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A person with a browser at a real market: from the first password to the results. */
@Timeout(240)
class ConsoleJourneyTest {
  private static final Pattern SOME = Pattern.compile("[1-9][0-9]*");

  private enum Screen {
    DESKTOP(1280, 800),
    PHONE(390, 844);

    private final int width;
    private final int height;

    Screen(int width, int height) {
      this.width = width;
      this.height = height;
    }
  }

  @ParameterizedTest
  @EnumSource(Screen.class)
  void aBagIsSubmittedWatchedAndFetchedAndAnotherOneCancelled(Screen screen) throws Exception {
    try (var browser = TestBrowser.open(screen.width, screen.height);
        var market = TestMarket.start(TestMarket.seed())) {
      market.story(() -> submitsWatchesAndCancels(browser, market));
    }
  }

  private static void submitsWatchesAndCancels(TestBrowser browser, TestMarket market)
      throws Exception {
    Page page = browser.page();
    market.launcher("olga").joins();
    signsIn(browser, market);

    submits(browser, 12, 300);
    page.evaluate("window.sameDocument = true");
    assertThat(field(page, "completed")).hasText(SOME);
    assertThat(field(page, "state")).hasText("done");
    assertThat(page.locator(".results tbody tr")).hasCount(12);
    assertThat(page.evaluate("window.sameDocument")).as("it moved without a reload").isNotNull();
    assertThat(outputOfTask(page, 3)).isEqualTo("16");
    browser.isContent();

    submits(browser, 500, 200);
    assertThat(field(page, "completed")).hasText(SOME);
    button(page, "Cancel this bag").click();
    assertThat(field(page, "state")).hasText("cancelled");
    assertThat(button(page, "Cancel this bag")).isHidden();
    browser.isContent();

    link(page, "Overview").first().click();
    assertThat(page.locator(".bag .state")).hasText(new String[] {"cancelled", "done"});
    assertThat(page.locator("[data-launcher-id=olga-desk]")).isVisible();
    browser.isContent();
  }

  @ParameterizedTest
  @EnumSource(Screen.class)
  void theOverviewLivesAndAMistakeIsShownWhereItIs(Screen screen) throws Exception {
    try (var browser = TestBrowser.open(screen.width, screen.height);
        var market = TestMarket.start(TestMarket.seed())) {
      market.story(() -> looksOnAndErrs(browser, market));
    }
  }

  private static void looksOnAndErrs(TestBrowser browser, TestMarket market) throws Exception {
    Page page = browser.page();
    signsIn(browser, market);
    page.evaluate("window.sameDocument = true");
    assertThat(page.getByText("No launcher has joined")).isVisible();
    assertThat(page.getByText("No bags yet")).isVisible();

    market.launcher("olga").joins();
    assertThat(page.locator("[data-launcher-id=olga-desk]")).isVisible();
    market.submits("ada", 200, 200);
    assertThat(page.locator(".bag [data-bag-field=completed]")).hasText(SOME);
    assertThat(page.locator("[data-market=price]")).hasText(Pattern.compile("[0-9.]+"));
    assertThat(page.evaluate("window.sameDocument")).as("it moved without a reload").isNotNull();
    browser.isContent();

    page.navigate(market.node().addresses().console() + "submit");
    page.getByLabel("Description", new Page.GetByLabelOptions().setExact(true))
        .fill(description(3, 1).replace("kind: java", "kind: cobol"));
    page.getByLabel("Bundle and inputs").setInputFiles(bundle());
    button(page, "Submit").click();
    assertThat(page.locator(".code .wrong")).containsText("cobol");
    assertThat(page.locator(".check", new Page.LocatorOptions().setHasText("bundle.jar")))
        .isVisible();
  }

  private static void signsIn(TestBrowser browser, TestMarket market) throws IOException {
    Page page = browser.page();
    page.navigate(market.node().addresses().console());
    page.getByLabel("Name").fill("admin");
    page.getByLabel("Password")
        .fill(Files.readString(market.node().firstPassword().orElseThrow()).strip());
    button(page, "Sign in").click();
    assertThat(page.locator("[data-live]")).hasText("live");
    browser.isContent();
  }

  private static void submits(TestBrowser browser, int tasks, int spinMillis) {
    Page page = browser.page();
    link(page, "Submit").first().click();
    page.getByLabel("Or a YAML file")
        .setInputFiles(file("bag.yaml", "text/yaml", utf8(description(tasks, spinMillis))));
    page.getByLabel("Bundle and inputs").setInputFiles(bundle());
    browser.isContent();
    button(page, "Submit").click();
    assertThat(page.locator(".bag-page h1")).hasText("squares");
  }

  private static String description(int tasks, int spinMillis) {
    return """
    name: squares
    kind: java
    bundle: bundle.jar
    entry_point: %s
    parameters:
      number: {range: {from: 1, to: %d}}
      spin_millis: %d
    estimate: {units_per_task: 0.2}
    limits: {units_per_task: 20}
    budget: 100
    """
        .formatted(SquareTask.class.getName(), tasks, spinMillis);
  }

  private static String outputOfTask(Page page, int task) throws IOException {
    Download download =
        page.waitForDownload(
            () -> page.locator(".results a[href*='/" + task + "/output']").click());
    try (InputStream content = download.createReadStream()) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static FilePayload bundle() {
    return file("bundle.jar", "application/java-archive", TestBundle.of(SquareTask.class));
  }

  private static FilePayload file(String name, String type, byte[] content) {
    return new FilePayload(name, type, content);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Locator field(Page page, String name) {
    return page.locator(".bag-page [data-bag-field=" + name + "]");
  }

  private static Locator button(Page page, String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  private static Locator link(Page page, String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true));
  }
}
