package io.gleaner.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ObjectInputStream;
import java.io.Serializable;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Classes of entries that do something of their own while an entry is made. */
@Timeout(60)
class UnusualClassesTest {
  private static final ClassLoader CLASSES = UnusualClassesTest.class.getClassLoader();

  /** Its constructor fills what a template would leave open. */
  public static class Defaults implements Entry {
    private static final long serialVersionUID = 1L;
    public String name;
    public Integer count;

    public Defaults() {
      name = "unnamed";
      count = 0;
    }
  }

  /** Cannot be made once it is switched off. */
  public static class Failing implements Entry {
    private static final long serialVersionUID = 1L;
    static boolean fails;
    public String name;

    public Failing() {
      if (fails) {
        throw new ExceptionInInitializerError("no such library");
      }
    }
  }

  /** Cannot be read. */
  public static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) {
      throw new AssertionError("nobody reads this from " + in);
    }
  }

  /** An entry in an entry. */
  public static class Envelope implements Entry {
    private static final long serialVersionUID = 1L;
    public Entry body;
    public Unreadable unreadable;

    public Envelope() {}
  }

  private static Entry comesBack(Entry entry) throws UnusableEntryException {
    return EntryCodec.decode(EntryCodec.encode(entry), CLASSES);
  }

  @Test
  void nullComesBackAsNullWhateverTheConstructorPutThere() throws Exception {
    Defaults none = new Defaults();
    none.name = null;
    none.count = null;
    Defaults back = (Defaults) comesBack(none);
    assertThat(back.name).isNull();
    assertThat(back.count).isNull();
  }

  @Test
  void aClassThatCannotBeMadeIsAnUnusableEntry() {
    EncodedEntry encoded = EntryCodec.encode(new Failing());
    Failing.fails = true;
    try {
      assertThatThrownBy(() -> EntryCodec.decode(encoded, CLASSES))
          .isInstanceOf(UnusableEntryException.class);
    } finally {
      Failing.fails = false;
    }
  }

  @Test
  void anErrorWhileAFieldIsReadConcernsThatFieldOnly() {
    EncodedEntry envelope = HostileClient.encode(new Envelope(), "unreadable", new Unreadable());
    assertThatThrownBy(() -> EntryCodec.decode(envelope, CLASSES))
        .isInstanceOfSatisfying(
            UnusableEntryException.class,
            e -> {
              assertThat(e.unusableFields).containsExactly("unreadable");
              assertThat(e.partialEntry).isInstanceOf(Envelope.class);
            });
  }

  @Test
  void anEntryOfTheProgramInAFieldDeclaredAsEntryComesBack() throws Exception {
    Envelope envelope = new Envelope();
    Defaults body = new Defaults();
    body.name = "inside";
    envelope.body = body;
    assertThat(((Defaults) ((Envelope) comesBack(envelope)).body).name).isEqualTo("inside");
  }
}
