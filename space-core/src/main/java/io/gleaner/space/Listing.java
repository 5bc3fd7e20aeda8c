package io.gleaner.space;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import java.rmi.RemoteException;
import java.util.ArrayDeque;
import java.util.Deque;
import net.jini.core.entry.Entry;
import net.jini.core.entry.UnusableEntryException;
import net.jini.core.lease.Lease;
import net.jini.space.MatchSet;

/** A listing that is fetched page by page; the space keeps nothing for it. For one thread. */
final class Listing implements MatchSet {
  private final Pages pages;
  private final ClassLoader classes;
  private final Deque<EncodedEntry> page = new ArrayDeque<>();
  private String cursor = "";
  private boolean last;
  private long left;
  private EncodedEntry current;

  /** Fetches one page. */
  interface Pages {
    Reply.Listed after(String cursor) throws RemoteException;
  }

  Listing(Pages pages, ClassLoader classes, long most) {
    this.pages = pages;
    this.classes = classes;
    this.left = most;
  }

  @Override
  public Entry next() throws RemoteException, UnusableEntryException {
    fetch();
    current = null;
    if (page.isEmpty() || left == 0) {
      return null;
    }
    left--;
    EncodedEntry next = page.poll();
    Entry entry = EntryCodec.decode(next, classes);
    current = next;
    return entry;
  }

  /** Fetches at least one page, so that a bad transaction shows at once. */
  void fetch() throws RemoteException {
    while (page.isEmpty() && !last && left > 0) {
      Reply.Listed listed = pages.after(cursor);
      page.addAll(listed.entries());
      cursor = listed.cursor();
      last = cursor.isEmpty();
    }
  }

  /** No lease: nothing is held for it. */
  @Override
  public Lease getLease() {
    return null;
  }

  @Override
  public Entry getSnapshot() {
    if (current == null) {
      throw new IllegalStateException("there is no current entry; call next() first");
    }
    return new Snapshot(current, classes);
  }
}
