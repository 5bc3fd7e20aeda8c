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
import java.util.function.Consumer;

/**
 * Which entry classes each space has, as this cell knows it. A cell asks the space's registry once
 * and is told of every class before the first entry of that class is written, so that it finds all
 * buckets of a template without asking.
 */
final class Directories {
  private final Context context;
  private final Map<String, Directory> spaces = new LinkedHashMap<>();

  /** One space. Classes are only ever added. */
  private static final class Directory {
    boolean joined;
    final Set<EntryType> types = new LinkedHashSet<>();
    final List<Runnable> onceJoined = new ArrayList<>();

    /** Classes that every cell knows of, so that their entries may be written. */
    final Set<EntryType> announced = new LinkedHashSet<>();

    final Map<EntryType, List<Consumer<Boolean>>> announcing = new LinkedHashMap<>();
    final Set<Consumer<EntryType>> listeners = new LinkedHashSet<>();
    final Map<EntryType, List<EntryType>> matching = new LinkedHashMap<>();
  }

  Directories(Context context) {
    this.context = context;
  }

  /** The cell that keeps the registry of a space. */
  static int registryOf(String space, int cells) {
    return Math.floorMod(FieldHash.mix(space.hashCode()), cells);
  }

  void whenJoined(String space, Runnable then) {
    Directory directory = spaces.get(space);
    if (directory == null) {
      directory = new Directory();
      spaces.put(space, directory);
      context.send(registryOf(space, context.cells), new Message.JoinSpace(space, context.cell));
    }
    if (directory.joined) {
      then.run();
    } else {
      directory.onceJoined.add(then);
    }
  }

  /** Goes on once every cell knows the class; with false if the space has too many classes. */
  void whenAnnounced(String space, EntryType type, Consumer<Boolean> then) {
    Directory directory = spaces.get(space);
    if (directory != null && directory.announced.contains(type)) {
      then.accept(true);
      return;
    }
    whenJoined(space, () -> announce(space, type, then));
  }

  private void announce(String space, EntryType type, Consumer<Boolean> then) {
    Directory directory = spaces.get(space);
    if (directory.announced.contains(type)) {
      then.accept(true);
      return;
    }
    var waiting = directory.announcing.get(type);
    if (waiting == null) {
      waiting = new ArrayList<>();
      directory.announcing.put(type, waiting);
      context.send(
          registryOf(space, context.cells), new Message.Announce(space, type, context.cell));
    }
    waiting.add(then);
  }

  void on(Message.SpaceJoined message) {
    Directory directory = spaces.get(message.space());
    message.types().forEach(type -> add(directory, type));
    directory.joined = true;
    List<Runnable> then = List.copyOf(directory.onceJoined);
    directory.onceJoined.clear();
    then.forEach(Runnable::run);
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
      List.copyOf(directory.listeners).forEach(listener -> listener.accept(type));
    }
  }

  void on(Message.Announced message) {
    Directory directory = spaces.get(message.space());
    if (message.accepted()) {
      directory.announced.add(message.type());
      add(directory, message.type());
    }
    directory.announcing.remove(message.type()).forEach(then -> then.accept(message.accepted()));
  }

  /** Hears of every class that is added from now on, until {@link #forget}. */
  void listen(String space, Consumer<EntryType> listener) {
    spaces.get(space).listeners.add(listener);
  }

  void forget(String space, Consumer<EntryType> listener) {
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
}
