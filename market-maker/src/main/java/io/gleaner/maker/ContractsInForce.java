package io.gleaner.maker;

import io.gleaner.book.Contract;
import io.gleaner.tuple.ContractEntry;
import java.rmi.RemoteException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.UnknownLeaseException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The contracts in force, by id. Used by the market-maker's thread only. */
final class ContractsInForce {
  private static final Logger LOG = LoggerFactory.getLogger(ContractsInForce.class);

  private final Map<String, ContractInForce> inForce = new HashMap<>();

  Optional<ContractInForce> find(String contractId) {
    return Optional.ofNullable(inForce.get(contractId));
  }

  Collection<ContractInForce> all() {
    return inForce.values();
  }

  /** Puts a contract in force, or replaces it by what was written again. */
  void put(ContractInForce contract) {
    inForce.put(contract.entry().contractId, contract);
  }

  void remove(String contractId) {
    inForce.remove(contractId);
  }

  void clear() {
    inForce.clear();
  }

  /**
   * Believes the space: drops what is not there, notes what runs.
   *
   * @return entries that are not as remembered: left by a predecessor, or by a commit whose answer
   *     was lost
   */
  List<ContractEntry> believe(List<ContractEntry> told, Set<String> attempts, long nanos) {
    Map<String, ContractEntry> there = new HashMap<>();
    List<ContractEntry> strange = new ArrayList<>();
    for (ContractEntry entry : told) {
      there.put(entry.contractId, entry);
      ContractInForce known = inForce.get(entry.contractId);
      if (known == null || !same(known.entry(), entry)) {
        strange.add(entry);
      }
    }
    for (ContractInForce contract : List.copyOf(inForce.values())) {
      String id = contract.entry().contractId;
      if (!there.containsKey(id)) {
        LOG.info("contract {} is not in the space any more", id);
        contract.on(ContractState.Event.EXPIRED, nanos);
        inForce.remove(id);
      } else if (attempts.contains(id)) {
        contract.on(ContractState.Event.ATTEMPT_SEEN, nanos);
      }
    }
    return strange;
  }

  private static boolean same(ContractEntry a, ContractEntry b) {
    return Objects.equals(a.epoch, b.epoch) && Objects.equals(a.slots, b.slots);
  }

  /** Those that still have slots, as the book shows them. */
  List<Contract> told(Duration quantum, Instant now, long nanos) {
    return inForce.values().stream()
        .filter(contract -> contract.state() != ContractState.DRAINING)
        .map(contract -> contract.told(quantum, now, nanos))
        .toList();
  }

  /** Those without slots under which nothing ran for this long. */
  List<ContractInForce> drained(Duration time, long nanos) {
    return inForce.values().stream()
        .filter(contract -> contract.state() == ContractState.DRAINING)
        .filter(contract -> contract.quietFor(time, nanos))
        .toList();
  }

  /** Renews the leases of which a third is over; a contract whose lease ended is dropped. */
  void renew(Duration term, long nanos) {
    for (ContractInForce contract : List.copyOf(inForce.values())) {
      if (contract.renewalDue(term, nanos)) {
        String id = contract.entry().contractId;
        try {
          contract.lease().renew(term.toMillis());
          contract.renewed(nanos);
        } catch (UnknownLeaseException | LeaseDeniedException e) {
          LOG.warn("the lease of contract {} is gone: {}", id, e.getMessage());
          contract.on(ContractState.Event.EXPIRED, nanos);
          inForce.remove(id);
        } catch (RemoteException e) {
          throw new MakerException(
              MakerException.Code.SPACE,
              "the space did not renew contract " + id + ": " + e.getMessage(),
              e);
        }
      }
    }
  }
}
