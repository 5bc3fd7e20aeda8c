package io.gleaner.space.hosting;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.exception.RetryableHazelcastException;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/**
 * Asks the owner of a cell which of some digests its entries name. The answer is an array of them.
 */
final class AskNamed extends Operation implements IdentifiedDataSerializable {
  private String[] digests = {};
  private Optional<String[]> named = Optional.empty();

  AskNamed() {}

  AskNamed(String[] digests) {
    this.digests = digests;
    setServiceName(SpaceService.NAME);
  }

  @Override
  public void run() {
    SpaceService service = getService();
    CellHost host = service.cells().host(getPartitionId());
    host.turn().now(() -> named = host.named(Set.of(digests)).map(AskNamed::array));
    if (named.isEmpty()) {
      throw new RetryableHazelcastException("a cell has no owner here now");
    }
  }

  private static String[] array(Set<String> digests) {
    return digests.toArray(String[]::new);
  }

  @Override
  public Object getResponse() {
    return named.orElseThrow();
  }

  @Override
  public String getServiceName() {
    return SpaceService.NAME;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeStringArray(digests);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    digests = in.readStringArray();
  }

  @Override
  public int getFactoryId() {
    return MemberOperations.FACTORY;
  }

  @Override
  public int getClassId() {
    return MemberOperations.ASK_NAMED;
  }
}
