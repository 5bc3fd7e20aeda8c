package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import java.util.LinkedHashMap;
import java.util.Map;

/** The registrations that want to hear of a bucket's entries. */
final class Watches {
  private final Context context;
  private final BucketKey key;
  private final Map<Long, Watcher> watchers = new LinkedHashMap<>();

  Watches(Context context, BucketKey key) {
    this.context = context;
    this.key = key;
  }

  void add(Watcher watcher) {
    watchers.put(watcher.registration(), watcher);
  }

  void remove(long registration) {
    watchers.remove(registration);
  }

  /** An entry can be seen, or taken, by everybody. */
  void appeared(Stored stored, Appearance how) {
    for (Watcher watcher : watchers.values()) {
      boolean wanted =
          switch (how) {
            case WRITTEN -> true;
            case RETURNED -> watcher.availability();
            case RELEASED -> watcher.availability() && !watcher.visibilityOnly();
          };
      if (wanted) {
        tell(watcher, stored, how != Appearance.RELEASED);
      }
    }
  }

  /** An entry can be seen by the transaction that wrote it. */
  void writtenUnder(long transaction, Stored stored) {
    for (Watcher watcher : watchers.values()) {
      if (watcher.transaction() == transaction) {
        tell(watcher, stored, true);
      }
    }
  }

  /** An entry can be taken by one transaction, which has read it as others had. */
  void leftTo(long transaction, Stored stored) {
    for (Watcher watcher : watchers.values()) {
      if (watcher.transaction() == transaction
          && watcher.availability()
          && !watcher.visibilityOnly()) {
        tell(watcher, stored, false);
      }
    }
  }

  private void tell(Watcher watcher, Stored stored, boolean becameVisible) {
    for (EncodedEntry template : watcher.templates()) {
      if (key.type().canMatch(template.type()) && template.matches(stored.entry)) {
        EncodedEntry entry = watcher.withEntry() ? stored.entry : null;
        context.send(
            Ids.cellOf(watcher.registration()),
            new Message.Sighted(watcher.registration(), key, entry, becameVisible));
        return;
      }
    }
  }

  void save(StateWriter to) {
    to.list(watchers.values(), MessageCodec::watcher);
  }

  void load(StateReader from) {
    from.list(MessageCodec::watcher).forEach(this::add);
  }
}
