package io.gleaner.space.core;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.matching.FieldHash;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Which entry classes each space has, as far as this cell needs to know. A cell asks the space's
 * registry once for the classes that match a template, and is told of every such class before the
 * first entry of that class is written, so that it finds all buckets of the template without
 * asking.
 */
final class Directories {
  /** Templates of which the matching classes are kept at hand. */
  private static final int MOST_MATCHING = 1_000;

  private final Context context;
  private final Map<String, Directory> spaces = new LinkedHashMap<>();
  private BiConsumer<Message.Put, String> announced = (put, refusal) -> {};

  /** One space. Classes are only ever added. */
  private static final class Directory {
    /** The classes of templates that were asked for, and whether the registry has answered. */
    final Map<EntryType, Boolean> asked = new LinkedHashMap<>();

    final Set<EntryType> types = new LinkedHashSet<>();
    final List<Waiting> waiting = new ArrayList<>();

    /** Classes that all know of who asked for them, so that their entries may be written. */
    final Set<EntryType> announced = new LinkedHashSet<>();

    final Map<EntryType, List<Message.Put>> announcing = new LinkedHashMap<>();
    final Set<Listener> listeners = new LinkedHashSet<>();
    final Map<EntryType, List<EntryType>> matching = new LinkedHashMap<>();

    boolean knows(Collection<EntryType> templates) {
      for (EntryType template : templates) {
        if (!asked.getOrDefault(template, false)) {
          return false;
        }
      }
      return true;
    }

    boolean isEmpty() {
      return asked.isEmpty() && waiting.isEmpty() && announced.isEmpty() && announcing.isEmpty();
    }
  }

  /** Hears of classes that are added to a space. */
  interface Listener {
    void typeAdded(EntryType type);

    /** Writes who it is. */
    void saveReference(StateWriter to);
  }

  /** An operation that waits until the classes that match its templates are known. */
  private record Waiting(Call call, List<EntryType> templates) {}

  Directories(Context context) {
    this.context = context;
  }

  private void sendToRegistry(String space, Message message) {
    context.send(Registries.registryOf(space, context.cells), message);
  }

  /** The call's work begins once all classes are known here that match the templates. */
  void whenKnown(String space, List<EncodedEntry> templates, Call call) {
    List<EntryType> types = typesOf(templates);
    Directory directory = spaces.computeIfAbsent(space, s -> new Directory());
    if (directory.knows(types)) {
      call.work().begin();
      return;
    }
    List<EntryType> unasked =
        types.stream().filter(type -> !directory.asked.containsKey(type)).toList();
    unasked.forEach(type -> directory.asked.put(type, false));
    directory.waiting.add(new Waiting(call, types));
    if (!unasked.isEmpty()) {
      sendToRegistry(space, new Message.AskTypes(space, unasked, context.cell));
    }
  }

  private static List<EntryType> typesOf(List<EncodedEntry> templates) {
    return templates.size() == 1
        ? List.of(templates.get(0).type())
        : templates.stream().map(EncodedEntry::type).distinct().toList();
  }

  /** Whether all classes are known here that match the templates. */
  boolean isKnown(String space, List<EncodedEntry> templates) {
    Directory directory = spaces.get(space);
    return directory != null && directory.knows(typesOf(templates));
  }

  /** Whether all know the class who asked for it, so that its entries may be written. */
  boolean isAnnounced(String space, EntryType type) {
    Directory directory = spaces.get(space);
    return directory != null && directory.announced.contains(type);
  }

  /** Announces the class of the entries; {@link #onAnnounced} says who hears when that is done. */
  void announce(Message.Put put) {
    String space = put.bucket().space();
    EntryType type = put.bucket().type();
    Directory directory = spaces.computeIfAbsent(space, s -> new Directory());
    var waiting = directory.announcing.get(type);
    if (waiting == null) {
      waiting = new ArrayList<>();
      directory.announcing.put(type, waiting);
      sendToRegistry(space, new Message.Announce(space, type, context.cell));
    }
    waiting.add(put);
  }

  /** Who hears that the class of entries is announced, or with a sentence that it is refused. */
  void onAnnounced(BiConsumer<Message.Put, String> hears) {
    announced = hears;
  }

  void on(Message.TypesTold message) {
    Directory directory = spaces.get(message.space());
    List<Waiting> then = new ArrayList<>();
    if (message.refusal().isEmpty()) {
      message.types().forEach(type -> add(directory, type));
      message.templates().forEach(template -> directory.asked.put(template, true));
      take(directory, each -> directory.knows(each.templates()), then);
      then.forEach(each -> each.call().work().begin());
      return;
    }
    message.templates().forEach(directory.asked::remove);
    take(
        directory, each -> each.templates().stream().anyMatch(message.templates()::contains), then);
    then.forEach(each -> each.call().refuse(Reply.Refusal.LIMIT, message.refusal()));
    forgetIfEmpty(message.space(), directory);
  }

  private static void take(Directory directory, Predicate<Waiting> which, List<Waiting> to) {
    for (var each = directory.waiting.iterator(); each.hasNext(); ) {
      Waiting waiting = each.next();
      if (which.test(waiting)) {
        each.remove();
        to.add(waiting);
      }
    }
  }

  private void forgetIfEmpty(String space, Directory directory) {
    if (directory.isEmpty()) {
      spaces.remove(space);
    }
  }

  void on(Message.TypeAdded message) {
    add(spaces.get(message.space()), message.type());
    sendToRegistry(
        message.space(), new Message.TypeKnown(message.space(), message.type(), context.cell));
  }

  private static void add(Directory directory, EntryType type) {
    if (directory.types.add(type)) {
      directory.matching.clear();
      List.copyOf(directory.listeners).forEach(listener -> listener.typeAdded(type));
    }
  }

  void on(Message.Announced message) {
    Directory directory = spaces.get(message.space());
    if (message.refusal().isEmpty()) {
      directory.announced.add(message.type());
    }
    List<Message.Put> puts = directory.announcing.remove(message.type());
    forgetIfEmpty(message.space(), directory);
    puts.forEach(put -> announced.accept(put, message.refusal()));
  }

  /** Hears of every class that is added from now on, until {@link #forget}. */
  void listen(String space, Listener listener) {
    spaces.get(space).listeners.add(listener);
  }

  void forget(String space, Listener listener) {
    spaces.get(space).listeners.remove(listener);
  }

  /** All buckets that may hold matches of any of the templates, which must be known here. */
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
      if (directory.matching.size() < MOST_MATCHING) {
        directory.matching.put(template, known);
      }
    }
    return known;
  }

  /** The buckets of one class that may hold matches of the template. */
  static void addShards(
      String space, EntryType type, EncodedEntry template, Collection<BucketKey> to) {
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
          to.count(directory.asked.size());
          directory.asked.forEach(
              (template, known) -> {
                to.type(template);
                to.flag(known);
              });
          to.list(directory.types, StateWriter::type);
          to.list(directory.announced, StateWriter::type);
          to.list(directory.waiting, Directories::save);
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
    to.call(waiting.call());
    to.list(waiting.templates(), StateWriter::type);
  }

  void load(
      StateReader from,
      Function<StateReader, Call> calls,
      Function<StateReader, Listener> listeners) {
    for (int rest = from.size(); rest > 0; rest--) {
      Directory directory = new Directory();
      spaces.put(from.text(), directory);
      for (int asked = from.size(); asked > 0; asked--) {
        directory.asked.put(from.type(), from.flag());
      }
      directory.types.addAll(from.list(StateReader::type));
      directory.announced.addAll(from.list(StateReader::type));
      directory.waiting.addAll(
          from.list(r -> new Waiting(calls.apply(r), r.list(StateReader::type))));
      for (int open = from.size(); open > 0; open--) {
        directory.announcing.put(
            from.type(), new ArrayList<>(from.list(r -> (Message.Put) MessageCodec.read(r))));
      }
      directory.listeners.addAll(from.list(listeners));
    }
  }
}
