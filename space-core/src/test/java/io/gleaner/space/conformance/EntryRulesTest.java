package io.gleaner.space.conformance;

import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.conformance.EntryClasses.HiddenClass;
import io.gleaner.space.conformance.EntryClasses.HiddenConstructor;
import io.gleaner.space.conformance.EntryClasses.InheritsPrimitiveField;
import io.gleaner.space.conformance.EntryClasses.ManyKindsOfField;
import io.gleaner.space.conformance.EntryClasses.NoConstructor;
import io.gleaner.space.conformance.EntryClasses.NoFields;
import io.gleaner.space.conformance.EntryClasses.PrimitiveField;
import io.gleaner.space.conformance.EntryClasses.Shadowing;
import java.util.List;
import net.jini.core.entry.Entry;
import org.junit.jupiter.api.Timeout;

/** Entry specification, EN.1. */
@Timeout(120)
class EntryRulesTest {

  @Conformance
  void en1_2_aPrimitiveFieldIsRefused(SpaceUnderTest at) throws Exception {
    refused(at, new PrimitiveField());
    refused(at, new InheritsPrimitiveField());
  }

  @Conformance
  void en1_3_aClassWithoutAPublicConstructorWithoutArgumentsIsRefused(SpaceUnderTest at)
      throws Exception {
    refused(at, new NoConstructor("a"));
    refused(at, new HiddenConstructor());
  }

  @Conformance
  void en1_2_aClassThatIsNotPublicIsRefused(SpaceUnderTest at) throws Exception {
    refused(at, new HiddenClass());
  }

  private static void refused(SpaceUnderTest at, Entry entry) throws Exception {
    assertThatThrownBy(() -> at.space.write(entry, null, FOREVER))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> at.space.snapshot(entry)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> at.space.read(entry, null, NO_WAIT))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(at.space.read(null, null, NO_WAIT)).isNull();
  }

  @Conformance
  void en1_2_onlyPublicFieldsThatAreNotStaticFinalOrTransientAreStored(SpaceUnderTest at)
      throws Exception {
    at.space.write(ManyKindsOfField.filled("kept"), null, FOREVER);
    ManyKindsOfField template = ManyKindsOfField.filled("kept");
    template.passing = "something else";
    ManyKindsOfField read = (ManyKindsOfField) at.space.read(template, null, NO_WAIT);
    assertThat(read.kept).isEqualTo("kept");
    assertThat(read.passing).isNull();
    assertThat(read.packaged).isNull();
    assertThat(read.inherited).isNull();
    assertThat(read.hidden()).isNull();
    assertThat(read.fixed).isEqualTo("fixed");
  }

  @Conformance
  void en1_5_anEntryWithoutFieldsMatchesItsClass(SpaceUnderTest at) throws Exception {
    at.space.write(new NoFields(), null, FOREVER);
    assertThat(at.space.read(new NoFields(), null, NO_WAIT)).isInstanceOf(NoFields.class);
    assertThat(at.space.take(null, null, NO_WAIT)).isInstanceOf(NoFields.class);
  }

  @Conformance
  void en1_2_aFieldThatHidesAnotherIsAFieldOfItsOwn(SpaceUnderTest at) throws Exception {
    Shadowing entry = new Shadowing();
    entry.topic = "own";
    ((io.gleaner.space.Note) entry).topic = "hidden";
    at.space.write(entry, null, FOREVER);
    Shadowing read = (Shadowing) at.space.read(new Shadowing(), null, NO_WAIT);
    assertThat(read.topic).isEqualTo("own");
    assertThat(((io.gleaner.space.Note) read).topic).isEqualTo("hidden");
    assertThat(at.space.read(new io.gleaner.space.Note("own", null), null, NO_WAIT)).isNull();
    assertThat(at.space.read(new io.gleaner.space.Note("hidden", null), null, NO_WAIT)).isNotNull();
  }

  @Conformance
  void en1_4_fieldsAreStoredApartSoThatSharedObjectsAreNotShared(SpaceUnderTest at)
      throws Exception {
    SharedFields entry = new SharedFields();
    entry.first = List.of("x");
    entry.second = entry.first;
    at.space.write(entry, null, FOREVER);
    SharedFields read = (SharedFields) at.space.take(new SharedFields(), null, NO_WAIT);
    assertThat(read.first).isEqualTo(read.second).isNotSameAs(read.second);
  }

  /** Two fields that may refer to one object. */
  public static class SharedFields implements Entry {
    private static final long serialVersionUID = 1L;
    public List<String> first;
    public List<String> second;
  }
}
