package io.gleaner.space.hosting;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;

/**
 * Asks another member whether it belongs to a space that was founded. The answer is how many
 * replicas each cell has there, or {@link #NOT_FOUNDED}.
 */
final class AskFounded extends Operation implements IdentifiedDataSerializable {
  static final int NOT_FOUNDED = -1;

  private int backups;

  AskFounded() {
    setServiceName(SpaceService.NAME);
  }

  @Override
  public void run() {
    SpaceService service = getService();
    backups = service.isFounded() ? service.cells().backups() : NOT_FOUNDED;
  }

  @Override
  public Object getResponse() {
    return backups;
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
