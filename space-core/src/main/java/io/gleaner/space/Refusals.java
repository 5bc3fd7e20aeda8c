package io.gleaner.space;

import java.rmi.RemoteException;
import net.jini.core.lease.LeaseDeniedException;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.CannotAbortException;
import net.jini.core.transaction.CannotCommitException;
import net.jini.core.transaction.TransactionException;
import net.jini.core.transaction.UnknownTransactionException;

/** Turns a refusal of the space into the exception that the specification gives for it. */
public final class Refusals {
  private Refusals() {}

  /** For operations on entries; answers the reply if it is none. */
  static Reply ofOperation(Reply reply) throws TransactionException, RemoteException {
    if (reply instanceof Reply.Refused refused) {
      switch (refused.code()) {
        case UNKNOWN_TRANSACTION -> throw new UnknownTransactionException(refused.message());
        case CANNOT_COMMIT, CANNOT_ABORT -> throw new TransactionException(refused.message());
        default -> throw general(refused);
      }
    }
    return reply;
  }

  /** For the end of a transaction. */
  public static void ofTransaction(Reply reply)
      throws UnknownTransactionException,
          CannotCommitException,
          CannotAbortException,
          RemoteException {
    if (reply instanceof Reply.Refused refused) {
      switch (refused.code()) {
        case UNKNOWN_TRANSACTION -> throw new UnknownTransactionException(refused.message());
        case CANNOT_COMMIT -> throw new CannotCommitException(refused.message());
        case CANNOT_ABORT -> throw new CannotAbortException(refused.message());
        default -> throw general(refused);
      }
    }
  }

  /** For leases. */
  public static Reply ofLease(Reply reply)
      throws UnknownLeaseException, LeaseDeniedException, RemoteException {
    if (reply instanceof Reply.Refused refused) {
      switch (refused.code()) {
        case UNKNOWN_LEASE, UNKNOWN_TRANSACTION ->
            throw new UnknownLeaseException(refused.message());
        case LEASE_DENIED -> throw new LeaseDeniedException(refused.message());
        default -> throw general(refused);
      }
    }
    return reply;
  }

  private static RemoteException general(Reply.Refused refused) {
    switch (refused.code()) {
      case LIMIT, INVALID -> throw new IllegalArgumentException(refused.message());
      case FORBIDDEN -> throw new SecurityException(refused.message());
      case OUTCOME_UNKNOWN, STORAGE_SILENT -> {
        return new OutcomeUnknownException(refused.message());
      }
      case OVERLOADED -> {
        return new SpaceOverloadedException(refused.message());
      }
      default -> {
        return new RemoteException(refused.code() + ": " + refused.message());
      }
    }
  }
}
