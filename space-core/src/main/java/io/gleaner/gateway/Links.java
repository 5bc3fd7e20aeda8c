package io.gleaner.gateway;

import io.gleaner.enrolment.JoinGrant;
import io.gleaner.gateway.wire.Wire;
import io.gleaner.identity.Party;
import io.gleaner.identity.Principal;
import io.gleaner.leasing.Ticker;
import io.gleaner.limits.Pace;
import io.gleaner.limits.Rates;
import io.gleaner.space.NodeEngine;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All links of a gateway: who may have another, who comes back, whose time has run out. Safe for
 * all threads; the counts are guarded by the monitor.
 */
final class Links {
  private static final Logger LOG = LoggerFactory.getLogger(Links.class);

  /** An eighth of the heap for chunks that wait to be written, of all owners together. */
  private static final long MOST_ARRIVING_BYTES = Runtime.getRuntime().maxMemory() / 8;

  /** The answer to a Hello: a link, or the sentence that refuses it. */
  record Admission(Optional<Link> link, boolean resumed, String refusal) {}

  private final NodeEngine engine;
  private final GatewaySettings settings;
  private final Ticker ticker;
  private final BlobDesk blobs;
  private final MarketDesk contracts;
  private final Map<Long, Link> byId = new ConcurrentHashMap<>();
  private final Map<String, OwnerUse> byOwner = new HashMap<>();
  private final Map<Principal, MemberUse> byMember = new HashMap<>();
  private final Intake.Total arriving = new Intake.Total(MOST_ARRIVING_BYTES);
  private final Holding.Total held;
  private final LongAdder refused = new LongAdder();
  private long lastId;

  Links(
      NodeEngine engine,
      GatewaySettings settings,
      Ticker ticker,
      BlobDesk blobs,
      MarketDesk contracts,
      Holding.Total held) {
    this.engine = engine;
    this.settings = settings;
    this.held = held;
    this.ticker = ticker;
    this.blobs = blobs;
    this.contracts = contracts;
  }

  /** Finds the link that the Hello wants back, or begins one. */
  synchronized Admission admit(JoinGrant grant, String name, Wire.Hello hello) {
    if (hello.hasResume()) {
      Link link = byId.get(hello.getResume().getLink());
      if (link != null
          && link.grant.equals(grant)
          && link.name.equals(name)
          && !hello.getResume().getKey().isEmpty()
          && link.resumeKey.equals(io.gleaner.secrets.Secret.of(hello.getResume().getKey()))) {
        return new Admission(Optional.of(link), true, "");
      }
    }
    OwnerUse use =
        byOwner.computeIfAbsent(
            grant.owner(), owner -> new OwnerUse(owner, settings.ofOwner(), arriving, held));
    Optional<String> refusal = use.linkRefusal();
    if (refusal.isPresent()) {
      return refused(refusal.get());
    }
    if (byId.size() >= settings.links()) {
      forget(use);
      return refused("this gateway has " + byId.size() + " connections and no room for more");
    }
    Principal who = principal(grant, name);
    MemberUse member = byMember.computeIfAbsent(who, w -> new MemberUse(pace(grant), ticker));
    LinkRights rights =
        new LinkRights(
            who,
            contracts,
            refused,
            member,
            ticker,
            settings.patience(),
            blobs.heldBy(grant.owner()));
    Link link = new Link(++lastId, grant, name, engine, settings, use, ticker, blobs, rights);
    byId.put(link.id, link);
    use.links++;
    member.links++;
    return new Admission(Optional.of(link), false, "");
  }

  /** Ends a link for good. */
  CompletableFuture<Void> end(Link link) {
    synchronized (this) {
      if (!byId.remove(link.id, link)) {
        return CompletableFuture.completedFuture(null);
      }
      link.use.links--;
      byMember.get(principal(link.grant, link.name)).links--;
      forget(link.use);
    }
    return link.end();
  }

  /** As {@link #end}, but leaves to the client what can go on at another node. */
  CompletableFuture<Void> endHere(Link link) {
    if (engine.outlivesNode()) {
      link.endHere();
      return CompletableFuture.completedFuture(null);
    }
    return end(link);
  }

  /** Ends the links whose client did not come back within the lease. */
  void sweep() {
    synchronized (this) {
      List.copyOf(byOwner.values()).forEach(this::forget);
      byMember.values().removeIf(each -> each.links == 0 && each.isQuiet());
    }
    for (Link link : byId.values()) {
      link.transfers.sweep();
      if (link.awayNanos() > settings.lease().toNanos()) {
        LOG.info("link {} of {}/{} did not come back", link.id, link.grant.owner(), link.name);
        var unused = end(link);
      }
    }
  }

  /**
   * Cuts connections off until the owner's, or all, do not hold too much: of the owner that holds
   * most, of his member that holds most, the one that holds most.
   */
  synchronized void relieve(OwnerUse use) {
    while (use.held.isTooMuch() || held.isTooMuch()) {
      OwnerUse owner = use.held.isTooMuch() ? use : holdsMost();
      long bytes = owner.held.bytes();
      Map<String, Long> ofMembers = new HashMap<>();
      List<Link> theirs = byId.values().stream().filter(link -> link.use == owner).toList();
      theirs.forEach(link -> ofMembers.merge(link.name, link.heldBytes(), Long::sum));
      Optional<ServerConnection> most =
          theirs.stream()
              .filter(link -> link.heldBytes() > 0)
              .max(
                  Comparator.<Link>comparingLong(link -> ofMembers.get(link.name))
                      .thenComparingLong(Link::heldBytes))
              .flatMap(Link::connection);
      if (most.isEmpty()) {
        return;
      }
      most.get().cutOff(tooMuchHeld(owner.owner, bytes));
    }
  }

  long heldBytes() {
    return held.bytes();
  }

  private OwnerUse holdsMost() {
    return Collections.max(byOwner.values(), Comparator.comparingLong(each -> each.held.bytes()));
  }

  private String tooMuchHeld(String owner, long bytes) {
    return "the connections of "
        + owner
        + " have the node hold "
        + bytes
        + " bytes of frames that have not come whole and of answers that they have not read, at most "
        + held.mostOfOwnerBytes
        + " of an owner and "
        + held.mostBytes
        + " of all are allowed; send frames whole, read answers, or use fewer connections";
  }

  /** Operations that were refused because the table of permissions does not have them. */
  long refused() {
    return refused.sum();
  }

  Collection<Link> all() {
    return List.copyOf(byId.values());
  }

  /** An owner without links counts until what they had asked is answered, too. */
  private void forget(OwnerUse use) {
    if (use.links == 0 && use.operations() == 0) {
      byOwner.values().remove(use);
    }
  }

  private Pace pace(JoinGrant grant) {
    Rates rates = settings.rates();
    return switch (grant.role()) {
      case DEVICE, BROWSER -> rates.device();
      case APPLICATION, NODE, MACHINE -> rates.application();
    };
  }

  private static Principal principal(JoinGrant grant, String name) {
    Set<Party> parties =
        switch (grant.role()) {
          case DEVICE -> Set.of(Party.DEVICE);
          case BROWSER -> Set.of(Party.DEVICE, Party.BROWSER);
          case APPLICATION -> Set.of(Party.APPLICATION);
          case NODE, MACHINE -> Set.of();
        };
    return new Principal(parties, grant.owner(), name);
  }

  private static Admission refused(String why) {
    return new Admission(Optional.empty(), false, why);
  }
}
