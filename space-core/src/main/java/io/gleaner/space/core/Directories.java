package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.matching.FieldHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Which entry classes each space has, as this cell knows it. A cell asks the space's registry once
 * and is told of every class before the first entry of that class is written, so that it finds all
 * buckets of a template without asking.
 */
final class Directories {
  private final Context context;
  private final Map<String, Directory> spaces = new LinkedHashMap<>();
  private BiConsumer<Message.Put, Boolean> announced = (put, accepted) -> {};

  /** One space. Classes are only ever added. */
  private static final class Directory {
    boolean joined;
    final Set<EntryType> types = new LinkedHashSet<>();
    final List<Waiting> onceJoined = new ArrayList<>();

    /** Classes that every cell knows of, so that their entries may be written. */
    final Set<EntryType> announced = new LinkedHashSet<>();

    final Map<EntryType, List<Message.Put>> announcing = new LinkedHashMap<>();
    final Set<Listener> listeners = new LinkedHashSet<>();
    final Map<EntryType, List<EntryType>> matching = new LinkedHashMap<>();
  }

  /** Hears of classes that are added to a space. */
  interface Listener {
    void typeAdded(EntryType type);

    /** Writes who it is. */
    void saveReference(StateWriter to);
  }

  /** Who waits until a space is known: an operation, or entries to be written. */
  private sealed interface Waiting {}

  private record WaitingCall(Call call) implements Waiting {}

  private record WaitingPut(Message.Put put) implements Waiting {}

  Directories(Context context) {
    this.context = context;
  }

  /** The cell that keeps the registry of a space. */
  static int registryOf(String space, int cells) {
    return Math.floorMod(FieldHash.mix(space.hashCode()), cells);
  }

  /** The call's work begins once the space is known here. */
  void whenJoined(String space, Call call) {
    if (joined(space).joined) {
      call.work().begin();
    } else {
      spaces.get(space).onceJoined.add(new WaitingCall(call));
    }
  }

  private Directory joined(String space) {
    Directory directory = spaces.get(space);
    if (directory == null) {
      directory = new Directory();
      spaces.put(space, directory);
      context.send(registryOf(space, context.cells), new Message.JoinSpace(space, context.cell));
    }
    return directory;
  }

  boolean isJoined(String space) {
    Directory directory = spaces.get(space);
    return directory != null && directory.joined;
  }

  /** Whether every cell knows the class, so that its entries may be written. */
  boolean isAnnounced(String space, EntryType type) {
    Directory directory = spaces.get(space);
    return directory != null && directory.announced.contains(type);
  }

  /** Announces the class of the entries; {@link Buckets#announced} hears when that is done. */
  void announce(Message.Put put) {
    Directory directory = joined(put.bucket().space());
    if (directory.joined) {
      announceNow(directory, put);
    } else {
      directory.onceJoined.add(new WaitingPut(put));
    }
  }

  private void announceNow(Directory directory, Message.Put put) {
    EntryType type = put.bucket().type();
    if (directory.announced.contains(type)) {
      announced.accept(put, true);
      return;
    }
    String space = put.bucket().space();
    var waiting = directory.announcing.get(type);
    if (waiting == null) {
      waiting = new ArrayList<>();
      directory.announcing.put(type, waiting);
      context.send(
          registryOf(space, context.cells), new Message.Announce(space, type, context.cell));
    }
    waiting.add(put);
  }

  /** Who hears that the class of entries is announced, or refused. */
  void onAnnounced(BiConsumer<Message.Put, Boolean> hears) {
    announced = hears;
  }

  void on(Message.SpaceJoined message) {
    Directory directory = spaces.get(message.space());
    message.types().forEach(type -> add(directory, type));
    directory.joined = true;
    List<Waiting> then = List.copyOf(directory.onceJoined);
    directory.onceJoined.clear();
    for (Waiting each : then) {
      if (each instanceof WaitingCall waiting) {
        waiting.call().work().begin();
      } else if (each instanceof WaitingPut waiting) {
        announceNow(directory, waiting.put());
      }
    }
  }

  void on(Message.TypeAdded message) {
    add(spaces.get(message.space()), message.type());
    context.send(
        registryOf(message.space(), context.cells),
        new Message.TypeKnown(message.space(), message.type(), context.cell));
  }

  private static void add(Directory directory, EntryType type) {
    if (directory.types.add(type)) {
      directory.matching.clear();
      List.copyOf(directory.listeners).forEach(listener -> listener.typeAdded(type));
    }
  }

  void on(Message.Announced message) {
    Directory directory = spaces.get(message.space());
    if (message.accepted()) {
      directory.announced.add(message.type());
      add(directory, message.type());
    }
    directory
        .announcing
        .remove(message.type())
        .forEach(put -> announced.accept(put, message.accepted()));
  }

  /** Hears of every class that is added from now on, until {@link #forget}. */
  void listen(String space, Listener listener) {
    spaces.get(space).listeners.add(listener);
  }

  void forget(String space, Listener listener) {
    spaces.get(space).listeners.remove(listener);
  }

  /** All buckets that may hold matches of any of the templates; the space must be joined. */
  List<BucketKey> candidates(String space, List<EncodedEntry> templates) {
    Directory directory = spaces.get(space);
    if (templates.size() == 1) {
      List<BucketKey> keys = new ArrayList<>(1);
      for (EntryType type : matching(directory, templates.get(0).type())) {
        addShards(space, type, templates.get(0), keys);
      }
      return keys;
    }
    Set<BucketKey> keys = new LinkedHashSet<>();
    for (EncodedEntry template : templates) {
      for (EntryType type : matching(directory, template.type())) {
        addShards(space, type, template, keys);
      }
    }
    return List.copyOf(keys);
  }

  private static List<EntryType> matching(Directory directory, EntryType template) {
    List<EntryType> known = directory.matching.get(template);
    if (known == null) {
      known = directory.types.stream().filter(type -> type.canMatch(template)).toList();
      if (directory.matching.size() < Limits.DEFAULT.types()) {
        directory.matching.put(template, known);
      }
    }
    return known;
  }

  /** The buckets of one class that may hold matches of the template. */
  static void addShards(
      String space, EntryType type, EncodedEntry template, java.util.Collection<BucketKey> to) {
    int field = type.shardField();
    if (field >= 0 && field < template.fields().length && template.fields()[field] != null) {
      int shard = (int) (FieldHash.of(template.fields()[field], 0) & (BucketKey.SHARDS - 1));
      to.add(new BucketKey(space, type, shard));
      return;
    }
    for (int shard = 0; shard < BucketKey.shardsOf(type); shard++) {
      to.add(new BucketKey(space, type, shard));
    }
  }

  void save(StateWriter to) {
    to.count(spaces.size());
    spaces.forEach(
        (space, directory) -> {
          to.text(space);
          to.flag(directory.joined);
          to.list(directory.types, StateWriter::type);
          to.list(directory.announced, StateWriter::type);
          to.list(directory.onceJoined, Directories::save);
          to.count(directory.announcing.size());
          directory.announcing.forEach(
              (type, puts) -> {
                to.type(type);
                to.list(puts, MessageCodec::write);
              });
          to.list(directory.listeners, (w, listener) -> listener.saveReference(w));
        });
  }

  private static void save(StateWriter to, Waiting waiting) {
    to.flag(waiting instanceof WaitingCall);
    if (waiting instanceof WaitingCall each) {
      to.call(each.call());
    } else if (waiting instanceof WaitingPut each) {
      MessageCodec.write(to, each.put());
    }
  }

  void load(
      StateReader from,
      Function<StateReader, Call> calls,
      Function<StateReader, Listener> listeners) {
    for (int rest = from.size(); rest > 0; rest--) {
      Directory directory = new Directory();
      spaces.put(from.text(), directory);
      directory.joined = from.flag();
      directory.types.addAll(from.list(StateReader::type));
      directory.announced.addAll(from.list(StateReader::type));
      directory.onceJoined.addAll(
          from.list(
              r ->
                  r.flag()
                      ? new WaitingCall(calls.apply(r))
                      : new WaitingPut((Message.Put) MessageCodec.read(r))));
      for (int open = from.size(); open > 0; open--) {
        directory.announcing.put(
            from.type(), new ArrayList<>(from.list(r -> (Message.Put) MessageCodec.read(r))));
      }
      directory.listeners.addAll(from.list(listeners));
    }
  }
}
