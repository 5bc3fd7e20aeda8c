package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.matching.EntryCodec;
import java.time.Duration;
import java.util.List;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ListingTest {

  /** An entry whose class does not work while it is read. */
  public static class Moody implements Entry {
    private static final long serialVersionUID = 1L;
    private static boolean bad;

    public Moody() {
      if (bad) {
        throw new IllegalStateException("not today");
      }
    }
  }

  @Test
  void whereTheNextEntryCannotBeUsedThereIsNoCurrentOneAndTheCauseIsTold() throws Exception {
    Reply.Listed listed = new Reply.Listed(List.of(EntryCodec.encode(new Moody())), "");
    Listing listing = new Listing(cursor -> listed, ListingTest.class.getClassLoader(), 10);
    Moody.bad = true;
    try {
      assertThatThrownBy(listing::next)
          .isInstanceOfSatisfying(
              UnusableEntryException.class,
              e ->
                  assertThat(e.nestedExceptions[0])
                      .isInstanceOf(IllegalStateException.class)
                      .hasMessage("not today"));
    } finally {
      Moody.bad = false;
    }
    assertThatThrownBy(listing::getSnapshot).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aLeaseThatIsTooLongIsForeverAndOneThatIsNoneIsRefused() {
    assertThat(Arguments.millis(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Lease.FOREVER);
    assertThatThrownBy(() -> Arguments.millis(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected 0 or more");
    assertThatThrownBy(() -> Arguments.millis(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("expected a duration");
  }
}
