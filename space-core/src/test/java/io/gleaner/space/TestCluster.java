package io.gleaner.space;

import static org.awaitility.Awaitility.await;

import com.hazelcast.instance.impl.HazelcastInstanceFactory;
import com.hazelcast.instance.impl.HazelcastInstanceProxy;
import com.hazelcast.internal.cluster.impl.ClusterServiceImpl;
import io.gleaner.secrets.Secret;
import io.gleaner.space.core.Limits;
import io.gleaner.storage.ServerSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Members of one cluster in this JVM. */
final class TestCluster implements AutoCloseable {
  private final MemberSettings founding =
      MemberSettings.founding("test", Secret.random()).withPatience(Duration.ofMinutes(2));
  private final List<HazelcastSpace> members = new ArrayList<>();
  private final Limits limits;
  private final Function<SpaceSettings, HazelcastSpace> starting;

  private TestCluster(Limits limits, Function<SpaceSettings, HazelcastSpace> starting) {
    this.limits = limits;
    this.starting = starting;
  }

  /** Members whose space is in a database of a server. */
  static TestCluster durable(ServerSettings server, int members) {
    return grown(
        new TestCluster(Limits.DEFAULT, settings -> HazelcastSpace.startDurable(settings, server)),
        members);
  }

  static TestCluster of(int members) {
    return of(members, Limits.DEFAULT);
  }

  static TestCluster of(int members, Limits limits) {
    return grown(new TestCluster(limits, HazelcastSpace::start), members);
  }

  private static TestCluster grown(TestCluster cluster, int members) {
    for (int i = 0; i < members; i++) {
      cluster.joins();
    }
    cluster.awaitSettled();
    return cluster;
  }

  /** Settings of the member that would be next. */
  MemberSettings next() {
    return members.isEmpty()
        ? founding
        : founding.joining(members.stream().map(member -> member.member().address()).toList());
  }

  /** A new member; cells begin to move to it. */
  HazelcastSpace joins() {
    HazelcastSpace member = starting.apply(new SpaceSettings(next(), 61, 2, limits));
    members.add(member);
    return member;
  }

  HazelcastSpace member(int index) {
    return members.get(index);
  }

  /** The member ends at once, as if its process were killed. */
  void kills(HazelcastSpace member) {
    members.remove(member);
    member.member().kill();
  }

  /** As if several machines lost their power. */
  void killsTogether(HazelcastSpace... together) throws InterruptedException {
    List<Thread> killers = new ArrayList<>();
    for (HazelcastSpace member : together) {
      members.remove(member);
      Thread killer = new Thread(() -> member.member().kill());
      killer.start();
      killers.add(killer);
    }
    for (Thread killer : killers) {
      killer.join();
    }
  }

  int size() {
    return members.size();
  }

  /**
   * Members lose each other, as if the network between them broke; they look for each other again
   * half a minute later.
   */
  static void splits(List<HazelcastSpace> some, List<HazelcastSpace> others) {
    for (HazelcastSpace one : some) {
      for (HazelcastSpace other : others) {
        suspects(one, other);
        suspects(other, one);
      }
    }
  }

  private static void suspects(HazelcastSpace one, HazelcastSpace other) {
    ClusterServiceImpl view = view(one);
    String address = other.member().address();
    view.getMemberImpls().stream()
        .filter(
            each ->
                (each.getAddress().getHost() + ":" + each.getAddress().getPort()).equals(address))
        .findFirst()
        .ifPresent(each -> view.suspectMember(each, "the test says so", true));
  }

  private static ClusterServiceImpl view(HazelcastSpace of) {
    return HazelcastInstanceFactory.getAllHazelcastInstances().stream()
        .map(each -> ((HazelcastInstanceProxy) each).getOriginal().node)
        .filter(
            node ->
                (node.address.getHost() + ":" + node.address.getPort())
                    .equals(of.member().address()))
        .findFirst()
        .orElseThrow()
        .getClusterService();
  }

  /** The member leaves in order. */
  void leaves(HazelcastSpace member) {
    members.remove(member);
    member.close();
  }

  /**
   * Under load a third member comes to two, and one of them dies while cells are on their way;
   * again and again.
   *
   * @param moving how many operations the load does meanwhile
   * @param after and how many until the next comes
   */
  void membersComeAndDieUnder(ClusterLoad load, int rounds, long moving, long after) {
    for (int round = 0; round < rounds; round++) {
      HazelcastSpace third = joins();
      load.goesOnFor(moving);
      kills(round % 2 == 0 ? member(1) : third);
      load.goesOnFor(after);
      while (size() < 2) {
        joins();
      }
      awaitSettled();
    }
  }

  /** Waits until every cell has an owner and, with two members or more, a replica. */
  void awaitSettled() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                members.stream()
                    .allMatch(
                        each ->
                            each.member().members() == members.size()
                                && each.member().isSettled()));
  }

  @Override
  public void close() {
    for (HazelcastSpace member : List.copyOf(members)) {
      kills(member);
    }
  }
}
