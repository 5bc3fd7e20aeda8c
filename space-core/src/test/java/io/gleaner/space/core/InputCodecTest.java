package io.gleaner.space.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Inputs come back as they were, whatever is in them; what is no input is refused. */
@Timeout(60)
class InputCodecTest {
  private static final int ROUNDS = 200;

  private final SplittableRandom random = new SplittableRandom(Long.getLong("gleaner.seed", 1));

  @Test
  void everyKindOfMessageComesBack() throws ReflectiveOperationException {
    for (int round = 0; round < ROUNDS; round++) {
      List<Input> inputs = new ArrayList<>();
      for (Class<?> kind : Message.class.getPermittedSubclasses()) {
        Message message = (Message) any(kind);
        assertThat(InputCodec.decodeMessage(InputCodec.encode(message))).isEqualTo(message);
        inputs.add(new Input(inputs.size() + 1, random.nextLong(), new Input.Deliver(message)));
      }
      for (Class<?> step : Input.Step.class.getPermittedSubclasses()) {
        inputs.add(new Input(inputs.size() + 1, random.nextLong(), (Input.Step) any(step)));
      }
      assertThat(InputCodec.decode(InputCodec.encode(inputs))).isEqualTo(inputs);
    }
  }

  @Test
  void anotherFormatIsRefused() {
    byte[] bytes = InputCodec.encode(new Message.Received(1, 2));
    bytes[0] = InputCodec.FORMAT + 1;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> InputCodec.decodeMessage(bytes))
        .withMessageContaining("expected " + InputCodec.FORMAT);
  }

  @Test
  @Tag("S4")
  void halfAnInputIsRefused() throws ReflectiveOperationException {
    byte[] bytes = InputCodec.encode((Message) any(Message.Put.class));
    for (int length = 0; length < bytes.length; length++) {
      byte[] half = Arrays.copyOf(bytes, length);
      assertThatIllegalArgumentException().isThrownBy(() -> InputCodec.decodeMessage(half));
    }
    byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
    assertThatIllegalArgumentException().isThrownBy(() -> InputCodec.decodeMessage(more));
  }

  private Object any(Type type) throws ReflectiveOperationException {
    if (type instanceof ParameterizedType list) {
      Type element = list.getActualTypeArguments()[0];
      return List.of(any(element), any(element));
    }
    Class<?> raw = (Class<?>) type;
    if (raw == int.class || raw == Integer.class) {
      return random.nextInt(1_000);
    } else if (raw == long.class || raw == Long.class) {
      return random.nextBoolean() ? random.nextLong() : random.nextLong(-2, 300);
    } else if (raw == boolean.class) {
      return random.nextBoolean();
    } else if (raw == String.class) {
      return List.of("", "name", "gr\u00fcn", "\ud800 alone").get(random.nextInt(4));
    } else if (raw == Caller.class) {
      return Caller.NOBODY;
    } else if (raw == Message.class) {
      return any(Message.Settle.class);
    } else if (raw == Limits.class) {
      return Limits.DEFAULT.withSessionLeaseMillis(1 + random.nextInt(1_000));
    } else if (raw == Command.RenewLeases.class) {
      List<Long> millis = List.of(random.nextLong(), Long.MAX_VALUE);
      return new Command.RenewLeases(
          List.of((LeaseId) any(LeaseId.class), (LeaseId) any(LeaseId.class)), millis);
    } else if (raw == EntryType.class) {
      return new EntryType(
          "T" + random.nextInt(3), List.of("S"), List.of("a", "b"), -1, random.nextBoolean());
    } else if (raw == EncodedEntry.class) {
      byte[] bytes = new byte[random.nextInt(600)];
      return new EncodedEntry((EntryType) any(EntryType.class), new byte[][] {bytes, null});
    } else if (raw.isEnum()) {
      return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
    } else if (raw.isSealed()) {
      Class<?>[] kinds = raw.getPermittedSubclasses();
      return any(kinds[random.nextInt(kinds.length)]);
    }
    return anyRecord(raw);
  }

  private Object anyRecord(Class<?> type) throws ReflectiveOperationException {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    for (int i = 0; i < components.length; i++) {
      types[i] = components[i].getType();
      values[i] = any(components[i].getGenericType());
    }
    var constructor = type.getDeclaredConstructor(types);
    constructor.setAccessible(true);
    return constructor.newInstance(values);
  }
}
