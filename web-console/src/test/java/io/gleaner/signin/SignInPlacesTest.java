package io.gleaner.signin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many sign-ins from one address, or of one name, leave room for others. */
@Timeout(60)
@Tag("S10")
class SignInPlacesTest {
  private final SignInPlaces places = new SignInPlaces();
  private final List<Promise<Void>> underWay = new ArrayList<>();

  @Test
  void oneAddressHasSoManyPlaces() {
    for (int i = 0; i < SignInPlaces.MOST_OF_ADDRESS; i++) {
      assertThat(comes("2001:db8:0:7:0:0:0:" + i, "user" + i).failed()).isFalse();
    }
    refused(comes("2001:db8:0:7:0:0:0:ffff", "another"), "from your address");
    assertThat(comes("2001:db8:0:8:0:0:0:1", "another").failed()).isFalse();

    underWay.get(0).complete();
    assertThat(comes("2001:db8:0:7:0:0:0:ffff", "one more").failed()).isFalse();
    refused(comes("2001:db8:0:7:0:0:0:ffff", "the next"), "from your address");
  }

  @Test
  void oneNameHasSoManyPlaces() {
    for (int i = 0; i < SignInPlaces.MOST_OF_NAME; i++) {
      assertThat(comes("10.0.0." + i, "alice").failed()).isFalse();
    }
    for (int i = 0; i < 2 * SignInPlaces.MOST_OF_ADDRESS; i++) {
      refused(comes("10.0.0.99", "alice"), "of this name");
    }
    assertThat(comes("10.0.0.99", "bob").failed()).as("who was refused takes no place").isFalse();

    underWay.get(0).fail("wrong password");
    assertThat(comes("10.0.0.99", "alice").failed()).isFalse();
  }

  private Future<Void> comes(String address, String name) {
    return places.within(
        address,
        name,
        () -> {
          underWay.add(Promise.promise());
          return underWay.get(underWay.size() - 1).future();
        });
  }

  private static void refused(Future<Void> answer, String why) {
    assertThat(answer.cause()).hasMessageContaining("too many sign-ins " + why);
  }
}
