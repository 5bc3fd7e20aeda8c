package hostile;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicInteger;

/** A serialisable value of a package that nobody allows; it counts how often it was read. */
public class Tripwire implements Serializable {
  public static final AtomicInteger READ = new AtomicInteger();
  private static final long serialVersionUID = 1L;

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    READ.incrementAndGet();
    in.defaultReadObject();
  }
}
