package hostile;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import net.jini.core.entry.Entry;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.core.transaction.server.TransactionParticipant;

/** What runs as soon as it is read, in whatever place it fits. */
public final class Gadget implements Entry, TransactionManager, java.io.Serializable {
  public static final AtomicBoolean RAN = new AtomicBoolean();
  private static final long serialVersionUID = 1L;

  /** A field that makes an entry of the lookup service carry another one. */
  public Object inside;

  public Gadget() {}

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    RAN.set(true);
    in.defaultReadObject();
  }

  @Override
  public Created create(long leaseMillis) {
    throw new IllegalStateException();
  }

  @Override
  public void join(long id, TransactionParticipant participant, long crashCount) {}

  @Override
  public int getState(long id) {
    return COMMITTED;
  }

  @Override
  public void commit(long id) {}

  @Override
  public void commit(long id, long waitMillis) {}

  @Override
  public void abort(long id) {}

  @Override
  public void abort(long id, long waitMillis) {}
}
