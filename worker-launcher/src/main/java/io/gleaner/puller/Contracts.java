package io.gleaner.puller;

import io.gleaner.space.TupleSpace;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.JobState;
import io.gleaner.tuple.TaskKind;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.core.transaction.TransactionException;
import net.jini.space.MatchSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the contracts that name this launcher and hands them to its slots; never takes one, the
 * market-maker ends them. One thread.
 */
final class Contracts {
  private static final Logger LOG = LoggerFactory.getLogger(Contracts.class);

  private static final long CHECK_MILLIS = 1000;

  private final TupleSpace space;
  private final String launcherId;
  private final int slots;
  private final TrustedPrograms programs;
  private final Map<String, JobEntry> jobs = new HashMap<>();
  private final Set<String> refused = new HashSet<>();

  Contracts(TupleSpace space, String launcherId, int slots, TrustedPrograms programs) {
    this.space = space;
    this.launcherId = launcherId;
    this.slots = slots;
    this.programs = programs;
  }

  /** Assigns the slots as the contracts say; a slot keeps what it serves if it may. */
  void assign(List<Slot> all)
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    Map<String, ContractEntry> contracts = new HashMap<>();
    Map<String, Integer> open = new HashMap<>();
    for (ContractEntry contract : read()) {
      contracts.put(contract.contractId, contract);
      open.put(contract.contractId, contract.slots == null ? 1 : contract.slots);
    }
    List<Slot> free = new ArrayList<>();
    for (Slot slot : all) {
      String served = slot.assignment().map(Assignment::contractId).orElse("");
      if (open.getOrDefault(served, 0) > 0 && job(contracts.get(served).jobId).isPresent()) {
        open.merge(served, -1, Integer::sum);
      } else {
        free.add(slot);
      }
    }
    List<String> names = contracts.keySet().stream().sorted().toList();
    for (Slot slot : free) {
      slot.assign(next(names, open, contracts));
    }
    Set<String> contracted =
        contracts.values().stream().map(contract -> contract.jobId).collect(Collectors.toSet());
    for (Slot slot : all) {
      Optional<String> leftover = slot.leftover();
      if (leftover.isEmpty()) {
        continue;
      }
      if (contracted.contains(leftover.get()) && job(leftover.get()).isEmpty()) {
        slot.drop(leftover.get(), "its program may not run here any more");
      } else if (!isOpen(leftover.get())) {
        slot.drop(leftover.get(), "its bag has ended");
      }
    }
    jobs.keySet().retainAll(contracted);
    refused.retainAll(contracted);
    programs.retain(contracted);
  }

  /** SHA-256 of the signed manifests of programs that were refused here lately. */
  List<String> refusedPrograms() {
    return programs.refused();
  }

  private boolean isOpen(String jobId)
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    JobEntry open = JobEntry.ofJob(jobId);
    open.state = JobState.OPEN;
    try {
      return space.readIfExists(open, null, CHECK_MILLIS) != null;
    } catch (SecurityException e) {
      LOG.debug("bag {} is none of this launcher's any more", jobId, e);
      return false;
    }
  }

  private Assignment next(
      List<String> names, Map<String, Integer> open, Map<String, ContractEntry> contracts)
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    for (String name : names) {
      if (open.get(name) > 0) {
        Optional<JobEntry> job = job(contracts.get(name).jobId);
        if (job.isPresent()) {
          open.merge(name, -1, Integer::sum);
          return new Assignment(name, job.get());
        }
      }
    }
    return null;
  }

  private List<ContractEntry> read()
      throws RemoteException, TransactionException, UnusableEntryException {
    List<ContractEntry> contracts = new ArrayList<>();
    MatchSet found =
        space.contents(
            List.of(ContractEntry.ofLauncher(launcherId)), null, Lease.ANY, 4L * slots + 16);
    for (ContractEntry contract = (ContractEntry) found.next();
        contract != null;
        contract = (ContractEntry) found.next()) {
      contracts.add(contract);
    }
    contracts.sort(Comparator.comparing((ContractEntry contract) -> contract.contractId));
    return contracts;
  }

  private Optional<JobEntry> job(String jobId)
      throws RemoteException, TransactionException, UnusableEntryException, InterruptedException {
    JobEntry known = jobs.get(jobId);
    if (known == null) {
      known = (JobEntry) space.readIfExists(JobEntry.ofJob(jobId), null, 0);
      if (known == null) {
        return Optional.empty();
      }
      if (known.kind != TaskKind.JAVA) {
        LOG.warn("bag {} is of kind {}, which this launcher does not run", jobId, known.kind);
      }
      jobs.put(jobId, known);
    }
    if (known.kind != TaskKind.JAVA) {
      return Optional.empty();
    }
    Optional<String> refusal = programs.refusal(known);
    if (refusal.isEmpty()) {
      refused.remove(jobId);
      return Optional.of(known);
    }
    if (refused.add(jobId)) {
      LOG.warn("bag {} of {} does not run here: {}", jobId, known.owner, refusal.get());
    }
    return Optional.empty();
  }
}
