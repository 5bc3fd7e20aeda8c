package io.gleaner.space.hosting;

import com.hazelcast.cluster.Address;
import com.hazelcast.cluster.Member;
import com.hazelcast.internal.partition.InternalPartition;
import com.hazelcast.internal.partition.InternalPartitionService;
import com.hazelcast.internal.partition.PartitionReplica;
import com.hazelcast.spi.impl.NodeEngine;
import com.hazelcast.spi.impl.NodeEngineImpl;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which member has which cell, as this member knows it. Safe for all threads. */
final class Roster {
  private final NodeEngine engine;
  private final InternalPartitionService partitions;
  private final int backups;

  Roster(NodeEngine engine, int backups) {
    this.engine = engine;
    this.partitions = ((NodeEngineImpl) engine).getPartitionService();
    this.backups = backups;
  }

  /** Deals all cells out among the members that there are. */
  void deal() {
    partitions.getPartition(0, true);
  }

  private InternalPartition partition(int cell) {
    return partitions.getPartition(cell, false);
  }

  int cells() {
    return partitions.getPartitionCount();
  }

  /** Whether this member owns the cell. */
  boolean isOwn(int cell) {
    return partition(cell).isLocal();
  }

  /** Whether the cell is on its way to another member, so that nobody may change it. */
  boolean isMoving(int cell) {
    return partition(cell).isMigrating();
  }

  /** Changes with every change of the cell's owner or replica. */
  int version(int cell) {
    return partition(cell).version();
  }

  Optional<Address> ownerOf(int cell) {
    return address(partition(cell).getOwnerReplicaOrNull());
  }

  /** The member that has to have a replica before anything leaves the owner. */
  Optional<Address> replicaOf(int cell) {
    return backups == 0 ? Optional.empty() : address(partition(cell).getReplica(1));
  }

  /** Whether this member has to have a replica of the cell. */
  boolean isReplicaHere(int cell) {
    PartitionReplica replica = partition(cell).getReplica(1);
    return backups > 0 && replica != null && replica.isIdentical(engine.getLocalMember());
  }

  /** Whether a member with that replica index has a copy of the cell. */
  boolean keepsCopy(int replicaIndex) {
    return replicaIndex >= 0 && replicaIndex <= backups;
  }

  /** Whether the cell stays where it is and has a replica if another member is there. */
  boolean isSettled(int cell) {
    return !isMoving(cell)
        && ownerOf(cell).isPresent()
        && (isAlone() || backups == 0 || replicaOf(cell).isPresent());
  }

  private Optional<Address> address(PartitionReplica replica) {
    return replica != null
            && engine.getClusterService().getMember(replica.address(), replica.uuid()) != null
        ? Optional.of(replica.address())
        : Optional.empty();
  }

  /** The name of this member, which no other one ever has. */
  String self() {
    return engine.getLocalMember().getUuid().toString();
  }

  /** The names of the members that this one sees, itself included. */
  Set<String> members() {
    return engine.getClusterService().getMembers().stream()
        .map(member -> member.getUuid().toString())
        .collect(Collectors.toSet());
  }

  /** The name of the member that has been there for longest. */
  String oldest() {
    return engine.getClusterService().getMembers().iterator().next().getUuid().toString();
  }

  Address here() {
    return engine.getThisAddress();
  }

  boolean isAlone() {
    return engine.getClusterService().getSize() == 1;
  }

  List<Address> others() {
    return engine.getClusterService().getMembers().stream()
        .filter(member -> !member.localMember())
        .map(Member::getAddress)
        .toList();
  }
}
