package io.gleaner.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Dialog;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The system's Chromium with one page, which collects what its console complains about. Belongs to
 * the thread that opened it.
 *
 * <p>Playwright downloads no browser: the environment's {@code GLEANER_CHROMIUM} says where one is,
 * otherwise Debian's is taken. Without one a test is skipped, but fails where {@code CI=true}.
 */
final class TestBrowser implements AutoCloseable {
  private static final String DEBIANS = "/usr/bin/chromium";
  private static final double DEADLINE_MILLIS = 60_000;
  private static final List<String> ARGUMENTS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-quic",
          "--no-first-run",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync");

  private final Playwright playwright;
  private final Page page;
  private final List<String> complaints = new ArrayList<>();

  private TestBrowser(Playwright playwright, Path chromium, int width, int height) {
    this.playwright = playwright;
    Browser browser =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(chromium).setArgs(ARGUMENTS));
    BrowserContext context =
        browser.newContext(
            new Browser.NewContextOptions()
                .setViewportSize(width, height)
                // It does not know the pool's authority, as nobody's browser does.
                .setIgnoreHTTPSErrors(true));
    context.setDefaultTimeout(DEADLINE_MILLIS);
    PlaywrightAssertions.setDefaultAssertionTimeout(DEADLINE_MILLIS);
    page = context.newPage();
    page.onConsoleMessage(this::hears);
    page.onPageError(complaints::add);
    page.onDialog(Dialog::accept);
  }

  static TestBrowser open(int width, int height) {
    Path chromium = chromium();
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    try {
      return new TestBrowser(playwright, chromium, width, height);
    } catch (RuntimeException e) {
      playwright.close();
      throw e;
    }
  }

  Page page() {
    return page;
  }

  /** Neither an error nor a breach of the content policy, and nothing wider than the screen. */
  void isContent() {
    assertThat(complaints).isEmpty();
    assertThat(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
        .as("the page %s fits the width of the screen", page.url())
        .isEqualTo(true);
  }

  private void hears(ConsoleMessage message) {
    if (message.type().equals("error") || message.type().equals("warning")) {
      complaints.add(message.text());
    }
  }

  private static Path chromium() {
    Path chromium = Path.of(System.getenv().getOrDefault("GLEANER_CHROMIUM", DEBIANS));
    boolean present = Files.isExecutable(chromium);
    String missing =
        "no browser at %s: install Debian's package 'chromium' or set GLEANER_CHROMIUM"
            .formatted(chromium);
    if ("true".equals(System.getenv("CI"))) {
      assertThat(present).as(missing).isTrue();
    }
    assumeTrue(present, missing);
    return chromium;
  }

  @Override
  public void close() {
    playwright.close();
  }
}
