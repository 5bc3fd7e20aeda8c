package io.gleaner.api.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.api.CallFailedException;
import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import io.gleaner.deserialising.Deserialiser;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a result from somebody else's machine may and may not bring. */
@Timeout(60)
class CallOutcomeTest {
  private static final ClassLoader CLASSES = CallOutcomeTest.class.getClassLoader();
  private static final Set<String> OURS = Set.of("io.gleaner.api.calls");

  record Point(int x, int y) implements Serializable {}

  /** Does something when it is read, as a gadget does. */
  static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1L;
    static final AtomicInteger EFFECTS = new AtomicInteger();

    private Object readResolve() {
      EFFECTS.incrementAndGet();
      return this;
    }
  }

  @Test
  void valuesOfTheJdkComeBackAsTheyWere() throws Exception {
    List<Object> value = new ArrayList<>();
    value.add(List.of(1, 2L, 3.5, 'c', (byte) 1, (short) 2, 1.5f, true, "text"));
    value.add(Map.of("a", new int[] {1, 2}, "b", new String[] {"x"}));
    value.add(new TreeMap<>(Map.of(1, new long[][] {{1}, {2}})));
    value.add(Set.of(new BigDecimal("1.5"), Duration.ofSeconds(3), Instant.EPOCH));
    value.add(UUID.fromString("c56a4180-65aa-42ec-a945-5fd21dec0538"));
    value.add(null);
    List<?> read = (List<?>) CallOutcome.read(CallOutcome.ofValue(value), Set.of(), CLASSES);
    assertThat(read).hasSize(value.size());
    assertThat(read.get(0)).isEqualTo(value.get(0));
    assertThat(read.subList(3, 6)).isEqualTo(value.subList(3, 6));
    assertThat(CallOutcome.read(CallOutcome.ofValue(null), Set.of(), CLASSES)).isNull();
    assertThat((long[]) CallOutcome.read(CallOutcome.ofValue(new long[50_000]), OURS, CLASSES))
        .hasSize(50_000);
  }

  @Test
  void classesOfDeclaredPackagesComeBackAndNoOthers() throws Exception {
    byte[] point = CallOutcome.ofValue(new Point(3, 4));
    assertThat(CallOutcome.read(point, OURS, CLASSES)).isEqualTo(new Point(3, 4));
    assertThatThrownBy(() -> CallOutcome.read(point, Set.of("org.example"), CLASSES))
        .isInstanceOf(GleanerException.class)
        .hasMessageContaining("Point")
        .hasMessageContaining("acceptsFrom");
  }

  @Test
  @Tag("S4")
  void aGadgetIsRefusedBeforeItDoesAnything() {
    byte[] hidden = CallOutcome.ofValue(new ArrayList<>(List.of("a", new Gadget())));
    refuses(hidden, Set.of());
    assertThat(Gadget.EFFECTS).hasValue(0);

    InvocationHandler handler = (proxy, method, arguments) -> null;
    assertThat(Proxy.isProxyClass(proxy(handler).getClass())).isTrue();
    refuses(outcome(proxy(new Handler())), OURS);
  }

  private record Handler() implements InvocationHandler, Serializable {
    @Override
    public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
      return null;
    }
  }

  private static Object proxy(InvocationHandler handler) {
    return Proxy.newProxyInstance(CLASSES, new Class<?>[] {Comparable.class}, handler);
  }

  @Test
  @Tag("S4")
  void nestedSetsThatTakeForEverToHashAreRefused() {
    Set<Object> root = new HashSet<>();
    Set<Object> left = root;
    Set<Object> right = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      Set<Object> nextLeft = new HashSet<>();
      Set<Object> nextRight = new HashSet<>();
      nextLeft.add("foo");
      left.add(nextLeft);
      left.add(nextRight);
      right.add(nextLeft);
      right.add(nextRight);
      left = nextLeft;
      right = nextRight;
    }
    refuses(outcome(root), OURS);
  }

  @Test
  @Tag("S4")
  void anArrayThatClaimsMoreThanItBringsIsRefused() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(0);
      out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
      out.writeShort(ObjectStreamConstants.STREAM_VERSION);
      out.writeByte(ObjectStreamConstants.TC_ARRAY);
      out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
      out.writeUTF("[J");
      out.writeLong(java.io.ObjectStreamClass.lookup(long[].class).getSerialVersionUID());
      out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
      out.writeShort(0);
      out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
      out.writeByte(ObjectStreamConstants.TC_NULL);
      out.writeInt(Integer.MAX_VALUE);
    }
    refuses(bytes.toByteArray(), OURS);
  }

  @Test
  @Tag("S4")
  void whatIsNoOutcomeIsRefused() {
    for (byte[] bytes : List.of(new byte[0], new byte[] {7, 1}, new byte[] {0, 1, 2, 3})) {
      assertThatThrownBy(() -> CallOutcome.read(bytes, OURS, CLASSES))
          .isInstanceOfSatisfying(
              GleanerException.class, e -> assertThat(e.code()).isEqualTo(Code.DAMAGED));
    }
    assertThatThrownBy(() -> CallOutcome.read(new byte[] {1, 127, 127, 127, 127}, OURS, CLASSES))
        .isInstanceOf(GleanerException.class);
  }

  /** Throws an error when it is read. */
  static final class Unreadable implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) {
      throw new AssertionError("not here");
    }
  }

  /** Cannot be initialised. */
  static final class Unready implements Serializable {
    private static final long serialVersionUID = 1L;
    static final int NUMBER = Integer.parseInt("none");
  }

  @Test
  @Tag("S4")
  void anErrorWhileItIsReadIsAFailureOfThisCallOnly() throws IOException {
    byte[] unready = objectWithoutFields("io.gleaner.api.calls.CallOutcomeTest$Unready");
    // The first time it cannot be initialised, the second time it is not there.
    for (byte[] bytes : List.of(outcome(new Unreadable()), unready, unready)) {
      assertThatThrownBy(() -> CallOutcome.read(bytes, OURS, CLASSES))
          .hasCauseInstanceOf(Error.class)
          .isInstanceOfSatisfying(
              GleanerException.class, e -> assertThat(e.code()).isEqualTo(Code.DAMAGED));
    }
  }

  private static byte[] objectWithoutFields(String type) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(0);
      out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
      out.writeShort(ObjectStreamConstants.STREAM_VERSION);
      out.writeByte(ObjectStreamConstants.TC_OBJECT);
      out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
      out.writeUTF(type);
      out.writeLong(1);
      out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
      out.writeShort(0);
      out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
      out.writeByte(ObjectStreamConstants.TC_NULL);
    }
    return bytes.toByteArray();
  }

  @Test
  void whatACallThrewArrivesWithItsClassMessageAndTrace() {
    IllegalStateException thrown = new IllegalStateException("odd numbers are beyond me");
    assertThatThrownBy(() -> CallOutcome.read(CallOutcome.ofThrown(thrown), OURS, CLASSES))
        .isInstanceOfSatisfying(
            CallFailedException.class,
            e -> {
              assertThat(e.thrownClass()).isEqualTo("java.lang.IllegalStateException");
              assertThat(e).hasMessageContaining("odd numbers are beyond me");
              assertThat(e.getStackTrace()[0].getMethodName())
                  .isEqualTo("whatACallThrewArrivesWithItsClassMessageAndTrace");
            });
  }

  @Test
  void aResultThatCannotBeSerialisedIsAFailureThatSaysSo() {
    assertThatThrownBy(() -> CallOutcome.read(CallOutcome.ofValue(new Object()), OURS, CLASSES))
        .isInstanceOf(CallFailedException.class)
        .hasMessageContaining("NotSerializableException: java.lang.Object");
  }

  @Test
  void aCallKnowsItsClassesAndWhereItsResultTypeLies() throws Exception {
    int two = 2;
    io.gleaner.api.ComputationalTask<Point> lambda = () -> new Point(1, two);
    SerialisedCall call = SerialisedCall.of(lambda, 10_000);
    assertThat(call.classes()).contains(CallOutcomeTest.class);
    assertThat(call.resultPackage()).isEqualTo(Optional.of("io.gleaner.api.calls"));
    Object again =
        Deserialiser.read(call.bytes(), i -> ObjectInputFilter.Status.UNDECIDED, CLASSES);
    assertThat(((java.util.concurrent.Callable<?>) again).call()).isEqualTo(new Point(1, 2));

    assertThatThrownBy(() -> SerialisedCall.of(() -> 1, 10_000))
        .hasMessageContaining("ComputationalTask");
    Object burden = new Object();
    io.gleaner.api.ComputationalTask<String> holding = burden::toString;
    assertThatThrownBy(() -> SerialisedCall.of(holding, 10_000))
        .hasMessageContaining("java.lang.Object");
    byte[] much = new byte[20_000];
    io.gleaner.api.ComputationalTask<Integer> large = () -> much.length;
    assertThatThrownBy(() -> SerialisedCall.of(large, 10_000))
        .hasMessageContaining("at most 10000");
  }

  private static byte[] outcome(Object value) {
    return CallOutcome.ofValue(value);
  }

  private static void refuses(byte[] output, Set<String> packages) {
    assertThatThrownBy(() -> CallOutcome.read(output, packages, CLASSES))
        .isInstanceOfSatisfying(
            GleanerException.class, e -> assertThat(e.code()).isEqualTo(Code.NOT_SERIALISABLE));
  }
}
