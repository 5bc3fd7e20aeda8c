package io.gleaner.space;

import static org.awaitility.Awaitility.await;

import io.gleaner.secrets.Secret;
import io.gleaner.space.core.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Members of one cluster in this JVM. */
final class TestCluster implements AutoCloseable {
  private final MemberSettings founding =
      MemberSettings.founding("test", Secret.random()).withPatience(Duration.ofMinutes(2));
  private final List<HazelcastSpace> members = new ArrayList<>();
  private final Limits limits;

  private TestCluster(Limits limits) {
    this.limits = limits;
  }

  static TestCluster of(int members) {
    return of(members, Limits.DEFAULT);
  }

  static TestCluster of(int members, Limits limits) {
    TestCluster cluster = new TestCluster(limits);
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
    HazelcastSpace member = HazelcastSpace.start(new SpaceSettings(next(), 61, 2, limits));
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

  /** The member leaves in order. */
  void leaves(HazelcastSpace member) {
    members.remove(member);
    member.close();
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
