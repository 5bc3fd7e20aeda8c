package io.gleaner.space.history;

import io.gleaner.space.TupleSpace;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import net.jini.core.entry.Entry;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;

/** A space that is wrong now and then, to show that a history tells. */
enum Fault {
  /** What was taken is still there. */
  TAKES_TWICE {
    @Override
    Object after(TupleSpace space, String operation, Object[] arguments, Object result)
        throws Exception {
      if (operation.startsWith("take") && result != null && arguments[1] == null) {
        space.write((Entry) result, null, Lease.FOREVER);
      }
      return result;
    }
  },
  /** What was written is not there. */
  LOSES_A_WRITE {
    @Override
    Object after(TupleSpace space, String operation, Object[] arguments, Object result)
        throws Exception {
      if (operation.equals("write")) {
        try {
          ((Lease) result).cancel();
        } catch (UnknownLeaseException e) {
          return result; // somebody was faster and took it
        }
      }
      return result;
    }
  },
  /** An entry that was written under a transaction is seen before the others of it. */
  SHOWS_HALF_A_COMMIT {
    @Override
    void before(String operation, Object[] arguments) {
      if (operation.equals("write")) {
        arguments[1] = null;
      }
    }
  },
  /** There is something, and the space says that there is nothing. */
  SEES_NOTHING {
    @Override
    Object after(TupleSpace space, String operation, Object[] arguments, Object result) {
      return operation.startsWith("read") && arguments[1] == null ? null : result;
    }
  },
  /** What another transaction has read is taken all the same. */
  FORGETS_READ_LOCKS {
    @Override
    void before(String operation, Object[] arguments) {
      if (operation.equals("read")) {
        arguments[1] = null;
      }
    }
  };

  private static final int EVERY = 25;

  void before(String operation, Object[] arguments) {}

  Object after(TupleSpace space, String operation, Object[] arguments, Object result)
      throws Exception {
    return result;
  }

  /** The space with this fault in every 25th operation. */
  TupleSpace in(TupleSpace space) {
    AtomicInteger count = new AtomicInteger();
    return (TupleSpace)
        Proxy.newProxyInstance(
            TupleSpace.class.getClassLoader(),
            new Class<?>[] {TupleSpace.class},
            (proxy, method, arguments) -> {
              boolean wrong =
                  arguments != null
                      && arguments.length == 3
                      && count.incrementAndGet() % EVERY == 0;
              if (wrong) {
                before(method.getName(), arguments);
              }
              try {
                Object result = method.invoke(space, arguments);
                return wrong ? after(space, method.getName(), arguments, result) : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
