package io.gleaner.node;

import com.microsoft.playwright.Page;
import io.gleaner.gateway.wire.Wire;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** What a page of the console does with {@code volunteer.js}, and the frames that it sends. */
final class BrowserPage {
  private static final String OPEN =
      """
      async (hello) => {
        const volunteer = await import('/assets/volunteer.js');
        const heard = [];
        let whole;
        window.frame = new Promise((resolve) => { whole = resolve; });
        const line = await volunteer.open((bytes) => {
          heard.push(...bytes);
          if (heard.length >= 4 && heard.length >= 4 + heard[2] * 256 + heard[3]) whole(heard);
        });
        window.end = line.closed;
        line.send(Uint8Array.from(hello));
      }
      """;

  private BrowserPage() {}

  /** Opens the space and says who it is; the answer is for {@link #welcome}. */
  static void opens(Page page) {
    byte[] frame = hello();
    page.evaluate(OPEN, IntStream.range(0, frame.length).mapToObj(i -> frame[i] & 0xff).toList());
  }

  /** With what the space was closed, once it is. */
  static Map<?, ?> end(Page page) {
    return (Map<?, ?>) page.evaluate("window.end");
  }

  /** What is known of the member that the expression says, and whether its key can be read. */
  static Map<?, ?> member(Page page, String expression, String token) {
    return (Map<?, ?>)
        page.evaluate(
            ask(
                "await (async () => { const { keys, ...own } = "
                    + expression
                    + "; return { ...own, extractable: keys.privateKey.extractable }; })()"),
            token);
  }

  static String ask(String expression) {
    return "async (token) => { const volunteer = await import('/assets/volunteer.js'); return "
        + expression
        + "; }";
  }

  static byte[] hello() {
    return framed(
        Wire.ClientFrame.newBuilder()
            .setHello(
                Wire.Hello.newBuilder().setLowestVersion(4).setHighestVersion(4).setName("lab"))
            .build());
  }

  static byte[] framed(Wire.ClientFrame frame) {
    byte[] message = frame.toByteArray();
    return ByteBuffer.allocate(4 + message.length).putInt(message.length).put(message).array();
  }

  static Wire.Welcome welcome(Page page) throws Exception {
    List<?> heard = (List<?>) page.evaluate("window.frame");
    byte[] bytes = new byte[heard.size() - 4];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = ((Number) heard.get(i + 4)).byteValue();
    }
    return Wire.ServerFrame.parseFrom(bytes).getWelcome();
  }
}
