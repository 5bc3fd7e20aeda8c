package io.gleaner.space.hosting;

import com.hazelcast.cluster.Member;
import com.hazelcast.internal.partition.ChunkSupplier;
import com.hazelcast.internal.partition.ChunkedMigrationAwareService;
import com.hazelcast.internal.partition.MigrationEndpoint;
import com.hazelcast.internal.partition.PartitionMigrationEvent;
import com.hazelcast.internal.partition.PartitionReplicationEvent;
import com.hazelcast.internal.services.ManagedService;
import com.hazelcast.internal.services.ServiceNamespace;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.operationservice.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hazelcast's door to the cells: it tells when a cell moves, gets images, and brings words of other
 * members.
 */
final class SpaceService implements ManagedService, ChunkedMigrationAwareService {
  static final String NAME = "gleaner:space";

  private static final Logger LOG = LoggerFactory.getLogger(SpaceService.class);
  private static final long ANSWER_SECONDS = 10;
  private static final Set<ServiceNamespace> NAMESPACES = Set.of(new SpaceNamespace());

  private final Function<NodeEngine, Cells> opening;
  private volatile Cells cells;
  private volatile NodeEngine engine;
  private volatile boolean founded;

  /**
   * A door.
   *
   * @param opening makes the hosts of the cells when the member is about to start
   */
  SpaceService(Function<NodeEngine, Cells> opening) {
    this.opening = opening;
  }

  @Override
  public void init(NodeEngine nodeEngine, Properties properties) {
    engine = nodeEngine;
    cells = opening.apply(nodeEngine);
  }

  Cells cells() {
    return cells;
  }

  void setFounded() {
    founded = true;
  }

  /** Whether the member belongs to a space that was founded. */
  boolean isFounded() {
    return founded;
  }

  /** Whether the oldest member of the cluster is another one, and belongs to a space. */
  boolean hasJoinedASpace() {
    Member oldest = engine.getClusterService().getMembers().iterator().next();
    if (oldest.localMember()) {
      return false;
    }
    CompletableFuture<Integer> answer =
        engine
            .getOperationService()
            .<Integer>invokeOnTarget(NAME, new AskFounded(), oldest.getAddress());
    try {
      int kind = answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
      if (kind != AskFounded.NOT_FOUNDED && kind != cells.kind()) {
        LOG.error(
            "the members of this space have {}, and this one is set to {}; give all of them the same"
                + " settings",
            Cells.describe(kind),
            Cells.describe(cells.kind()));
        return false;
      }
      return kind != AskFounded.NOT_FOUNDED;
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("{} does not say whether it belongs to a space", oldest.getAddress(), e);
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public Collection<ServiceNamespace> getAllServiceNamespaces(PartitionReplicationEvent event) {
    return NAMESPACES;
  }

  @Override
  public boolean isKnownServiceNamespace(ServiceNamespace namespace) {
    return namespace instanceof SpaceNamespace;
  }

  @Override
  public ChunkSupplier newChunkSupplier(
      PartitionReplicationEvent event, Collection<ServiceNamespace> namespaces) {
    int cell = event.getPartitionId();
    List<Word.Chunk> chunks = new ArrayList<>();
    if (cells.roster().keepsCopy(event.getReplicaIndex())) {
      CellHost host = cells.host(cell);
      // A claim that ends later would take the cell away from whoever has it by then.
      cells.awaitClaim(cell);
      host.turn().now(() -> chunks.addAll(host.image()));
      // Whoever gets it may be asked for it before the storage has it.
      cells.awaitKept();
    }
    return new Chunks(cell, chunks.iterator());
  }

  private record Chunks(int cell, Iterator<Word.Chunk> rest) implements ChunkSupplier {
    @Override
    public boolean hasNext() {
      return rest.hasNext();
    }

    @Override
    public Operation next() {
      return new Dispatch(cell, rest.next(), true);
    }
  }

  @Override
  public Operation prepareReplicationOperation(PartitionReplicationEvent event) {
    return null;
  }

  @Override
  public Operation prepareReplicationOperation(
      PartitionReplicationEvent event, Collection<ServiceNamespace> namespaces) {
    return null;
  }

  @Override
  public void beforeMigration(PartitionMigrationEvent event) {
    if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION) {
      CellHost host = cells.host(event.getPartitionId());
      host.turn().now(host::expectMove);
    }
  }

  @Override
  public void commitMigration(PartitionMigrationEvent event) {
    CellHost host = cells.host(event.getPartitionId());
    host.turn().now(() -> commit(event, host));
  }

  private void commit(PartitionMigrationEvent event, CellHost host) {
    int before = event.getCurrentReplicaIndex();
    int after = event.getNewReplicaIndex();
    if (event.getMigrationEndpoint() == MigrationEndpoint.SOURCE) {
      if (!cells.roster().keepsCopy(after)) {
        host.cedeOwnership(false);
      } else if (before == 0 && after != 0) {
        host.cedeOwnership(true);
      }
    } else if (after != 0) {
      if (!cells.roster().keepsCopy(after)) {
        host.drop();
      }
      host.becomeReplica();
    } else {
      host.becomeOwner();
    }
  }

  @Override
  public void rollbackMigration(PartitionMigrationEvent event) {
    if (event.getMigrationEndpoint() == MigrationEndpoint.DESTINATION) {
      CellHost host = cells.host(event.getPartitionId());
      boolean stays = cells.roster().keepsCopy(event.getCurrentReplicaIndex());
      host.turn().now(stays ? host::becomeReplica : host::drop);
    }
  }

  @Override
  public void reset() {
    // This member is about to join another cluster: nothing that it has is of that one.
    cells.dropAll();
  }

  @Override
  public void shutdown(boolean terminate) {}
}
