package io.gleaner.space.hosting;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;

/**
 * Asks another member whether it belongs to a space that was founded. The answer is of what kind
 * that is ({@link Cells#kind}), or {@link #NOT_FOUNDED}.
 */
final class AskFounded extends Operation implements IdentifiedDataSerializable {
  static final int NOT_FOUNDED = -1;

  private int kind;

  AskFounded() {
    setServiceName(SpaceService.NAME);
  }

  @Override
  public void run() {
    SpaceService service = getService();
    kind = service.isFounded() ? service.cells().kind() : NOT_FOUNDED;
  }

  @Override
  public Object getResponse() {
    return kind;
  }

  @Override
  public String getServiceName() {
    return SpaceService.NAME;
  }

  @Override
  public int getFactoryId() {
    return MemberOperations.FACTORY;
  }

  @Override
  public int getClassId() {
    return MemberOperations.ASK_FOUNDED;
  }
}
