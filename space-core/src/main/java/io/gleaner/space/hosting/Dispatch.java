package io.gleaner.space.hosting;

import com.hazelcast.internal.partition.MigrationCycleOperation;
import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import com.hazelcast.nio.serialization.IdentifiedDataSerializable;
import com.hazelcast.spi.exception.CallerNotMemberException;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.io.IOException;

/**
 * Carries a {@link Word} to the thread of its cell on another member. Nobody answers it: what gets
 * lost is said again. It also comes through while the cell moves, and waits there.
 */
final class Dispatch extends Operation
    implements IdentifiedDataSerializable, MigrationCycleOperation {
  private Word word;

  /** A part of an image that Hazelcast carries because the cell moves. */
  private boolean moves;

  Dispatch() {}

  Dispatch(int cell, Word word, boolean moves) {
    this.word = word;
    this.moves = moves;
    setPartitionId(cell);
    setServiceName(SpaceService.NAME);
  }

  @Override
  public void run() {
    SpaceService service = getService();
    if (moves) {
      CellHost host = service.cells().host(getPartitionId());
      host.turn().now(() -> host.moveHere((Word.Chunk) word));
    } else {
      service.cells().hear(getPartitionId(), getCallerAddress(), word);
    }
  }

  @Override
  public boolean returnsResponse() {
    return false;
  }

  @Override
  public boolean validatesTarget() {
    return false;
  }

  @Override
  public void logError(Throwable e) {
    if (e instanceof CallerNotMemberException) {
      getLogger().fine("a word of somebody who is no member any more is dropped", e);
    } else {
      super.logError(e);
    }
  }

  @Override
  public String getServiceName() {
    return SpaceService.NAME;
  }

  @Override
  protected void writeInternal(ObjectDataOutput out) throws IOException {
    super.writeInternal(out);
    out.writeBoolean(moves);
    Word.write(word, out);
  }

  @Override
  protected void readInternal(ObjectDataInput in) throws IOException {
    super.readInternal(in);
    moves = in.readBoolean();
    word = Word.read(in);
  }

  @Override
  public int getFactoryId() {
    return MemberOperations.FACTORY;
  }

  @Override
  public int getClassId() {
    return MemberOperations.DISPATCH;
  }
}
