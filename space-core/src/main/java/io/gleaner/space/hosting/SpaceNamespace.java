package io.gleaner.space.hosting;

import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** Names what of a partition belongs to the space: all of the cell. */
final class SpaceNamespace implements ServiceNamespace, IdentifiedDataSerializable {

  @Override
  public String getServiceName() {
    return SpaceService.NAME;
  }

  @Override
  public void writeData(ObjectDataOutput out) {}

  @Override
  public void readData(ObjectDataInput in) {}

  @Override
  public int getFactoryId() {
    return MemberOperations.FACTORY;
  }

  @Override
  public int getClassId() {
    return MemberOperations.NAMESPACE;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SpaceNamespace;
  }

  @Override
  public int hashCode() {
    return SpaceService.NAME.hashCode();
  }

  @Override
  public String toString() {
    return SpaceService.NAME;
  }
}
