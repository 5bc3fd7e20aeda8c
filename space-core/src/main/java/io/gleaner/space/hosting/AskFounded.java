package io.gleaner.space.hosting;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.impl.operationservice.Operation;

/** Asks another member whether it belongs to a space that was founded. */
final class AskFounded extends Operation implements IdentifiedDataSerializable {
  private boolean founded;

  AskFounded() {
    setServiceName(SpaceService.NAME);
  }

  @Override
  public void run() {
    SpaceService service = getService();
    founded = service.isFounded();
  }

  @Override
  public Object getResponse() {
    return founded;
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
