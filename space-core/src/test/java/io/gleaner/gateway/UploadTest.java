package io.gleaner.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.gleaner.gateway.wire.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UploadTest {
  private static final int WINDOW = 3;

  private final Queue<Runnable> turns = new ArrayDeque<>();
  private final List<Integer> given = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  @Test
  void oneThatMeetsAnErrorEndsAndSaysSo() throws Exception {
    Upload upload =
        new Upload(
            Long.MAX_VALUE,
            () -> {
              throw new OutOfMemoryError("on purpose");
            },
            turns::add,
            new Upload.Told(
                written -> {}, given::add, digest -> {}, why -> failures.add(why.getMessage())));
    for (int i = 0; i < WINDOW; i++) {
      assertThat(upload.offer(chunk(i))).isTrue();
    }

    assertThatThrownBy(turns.remove()::run).isInstanceOf(OutOfMemoryError.class);

    assertThat(failures)
        .singleElement()
        .asString()
        .contains("the node failed at it: java.lang.OutOfMemoryError: on purpose");
    assertThat(given).containsExactly(WINDOW * Protocol.BLOB_CHUNK_BYTES);
    assertThat(upload.offer(chunk(WINDOW))).isFalse();
    assertThat(turns).isEmpty();
  }

  private static Wire.BlobPut chunk(int number) {
    return Wire.BlobPut.newBuilder()
        .setOffset((long) number * Protocol.BLOB_CHUNK_BYTES)
        .setChunk(ByteString.copyFrom(new byte[Protocol.BLOB_CHUNK_BYTES]))
        .build();
  }
}
