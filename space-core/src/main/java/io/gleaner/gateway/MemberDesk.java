package io.gleaner.gateway;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.UnsafeByteOperations;
import io.gleaner.authority.Certificates;
import io.gleaner.authority.IssuedCertificate;
import io.gleaner.enrolment.Enrolment;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.secrets.Secret;
import io.vertx.core.Future;
import io.vertx.core.WorkerExecutor;
import java.util.List;
import java.util.Optional;

/** Makes and renews certificates away from the event loop, since the database is asked. */
final class MemberDesk {
  private final WorkerExecutor workers;

  MemberDesk(WorkerExecutor workers) {
    this.workers = workers;
  }

  /**
   * Answers a Join; fails with a {@link io.gleaner.secrets.SecurityRefusal}.
   *
   * @param shown whom the connection authenticated; empty for somebody who joins
   * @param from the address that asks
   */
  Future<Message> answer(
      Enrolment enrolment, Optional<Visitor> shown, Wire.Join join, String from) {
    byte[] request = join.getRequest().toByteArray();
    return workers.executeBlocking(
        () -> {
          IssuedCertificate issued =
              shown.isPresent()
                  ? enrolment.renew(shown.get().certificate(), request)
                  : enrolment.join(Secret.of(join.getToken()), request, from);
          List<ByteString> chain =
              enrolment.answer(issued).stream()
                  .map(each -> Certificates.encode(List.of(each)))
                  .map(UnsafeByteOperations::unsafeWrap)
                  .toList();
          return Frames.server()
              .setJoined(Wire.Joined.newBuilder().addAllCertificates(chain))
              .build();
        },
        false);
  }
}
