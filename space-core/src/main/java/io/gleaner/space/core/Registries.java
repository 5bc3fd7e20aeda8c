package io.gleaner.space.core;

import io.gleaner.matching.EntryType;
import io.gleaner.matching.FieldHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The entry classes of all spaces of the users whose registry this cell is, and which cells are
 * told of which. A class counts as announced when every cell that asked for classes like it has
 * said that it knows it; cells that ask later get it with the answer.
 */
final class Registries {
  private final Context context;
  private final Map<String, Registered> users = new LinkedHashMap<>();

  Registries(Context context) {
    this.context = context;
  }

  /** The cell that keeps the registry of a space, and of all spaces of the same user. */
  static int registryOf(String space, int cells) {
    return Math.floorMod(FieldHash.mix(userOf(space).hashCode()), cells);
  }

  /** The user with a slash, or the whole name of a space that belongs to none. */
  static String userOf(String space) {
    return space.substring(0, space.indexOf('/') + 1).isEmpty()
        ? space
        : space.substring(0, space.indexOf('/') + 1);
  }

  /** The classes of one space. */
  static final class Registry {
    final Set<EntryType> types = new LinkedHashSet<>();

    /** Which cells asked for the classes that match a template of that class. */
    final Map<EntryType, Set<Integer>> asked = new LinkedHashMap<>();

    final Map<EntryType, Announcement> open = new LinkedHashMap<>();

    /** The cells that are told of the class. */
    Set<Integer> concerned(EntryType type) {
      Set<Integer> cells = new TreeSet<>();
      asked.forEach(
          (template, asking) -> {
            if (type.canMatch(template)) {
              cells.addAll(asking);
            }
          });
      return cells;
    }
  }

  /** A class that not every cell has confirmed that is told of it. */
  private record Announcement(Set<Integer> unconfirmed, Set<Integer> waiting) {}

  void on(Message.AskTypes message) {
    Registered user = userOf(message);
    Registry known = user.spaces.get(message.space());
    List<EntryType> types = new ArrayList<>();
    if (known != null) {
      for (EntryType type : known.types) {
        if (message.templates().stream().anyMatch(type::canMatch)) {
          types.add(type);
        }
      }
    }
    List<EntryType> told = new ArrayList<>(message.templates());
    told.addAll(types);
    String refusal =
        user.refusal(context.limits, message.space(), message.templates(), Registered.bytes(told));
    if (refusal.isEmpty()) {
      Registry registry = user.add(message.space(), message.templates(), Registered.bytes(told));
      for (EntryType template : message.templates()) {
        registry.asked.computeIfAbsent(template, t -> new TreeSet<>()).add(message.from());
      }
    } else {
      forgetIfEmpty(message.space(), user);
      types = List.of();
    }
    context.send(
        message.from(),
        new Message.TypesTold(message.space(), message.templates(), types, refusal));
  }

  private Registered userOf(Message.AskTypes message) {
    return users.computeIfAbsent(userOf(message.space()), u -> new Registered());
  }

  private void forgetIfEmpty(String space, Registered user) {
    if (user.spaces.isEmpty()) {
      users.remove(userOf(space));
    }
  }

  void on(Message.Announce message) {
    Registered user = users.computeIfAbsent(userOf(message.space()), u -> new Registered());
    Registry registry = user.spaces.get(message.space());
    EntryType type = message.type();
    Announcement open = registry == null ? null : registry.open.get(type);
    if (open != null) {
      open.waiting().add(message.from());
    } else if (registry != null && registry.types.contains(type)) {
      answer(message.from(), message.space(), type, "");
    } else {
      Set<Integer> concerned = registry == null ? new TreeSet<>() : registry.concerned(type);
      long bytes = Registered.bytes(List.of(type)) * (1 + concerned.size());
      String refusal = user.refusal(context.limits, message.space(), List.of(type), bytes);
      if (refusal.isEmpty()) {
        announce(user.add(message.space(), List.of(type), bytes), message, concerned);
      } else {
        forgetIfEmpty(message.space(), user);
        answer(message.from(), message.space(), type, refusal);
      }
    }
  }

  private void announce(Registry registry, Message.Announce message, Set<Integer> concerned) {
    EntryType type = message.type();
    registry.types.add(type);
    if (concerned.isEmpty()) {
      answer(message.from(), message.space(), type, "");
      return;
    }
    Announcement open = new Announcement(concerned, new LinkedHashSet<>());
    open.waiting().add(message.from());
    registry.open.put(type, open);
    for (int cell : concerned) {
      context.send(cell, new Message.TypeAdded(message.space(), type));
    }
  }

  void on(Message.TypeKnown message) {
    Registry registry = users.get(userOf(message.space())).spaces.get(message.space());
    Announcement open = registry.open.get(message.type());
    if (open != null && open.unconfirmed().remove(message.from()) && open.unconfirmed().isEmpty()) {
      registry.open.remove(message.type());
      open.waiting().forEach(cell -> answer(cell, message.space(), message.type(), ""));
    }
  }

  private void answer(int cell, String space, EntryType type, String refusal) {
    context.send(cell, new Message.Announced(space, type, refusal));
  }

  void save(StateWriter to) {
    to.count(users.size());
    users.forEach(
        (name, user) -> {
          to.text(name);
          to.count(user.bytes());
          to.count(user.spaces.size());
          user.spaces.forEach(
              (space, registry) -> {
                to.text(space);
                save(to, registry);
              });
        });
  }

  private static void save(StateWriter to, Registry registry) {
    to.list(registry.types, StateWriter::type);
    to.count(registry.asked.size());
    registry.asked.forEach(
        (template, cells) -> {
          to.type(template);
          to.list(cells, StateWriter::size);
        });
    to.count(registry.open.size());
    registry.open.forEach(
        (type, open) -> {
          to.type(type);
          to.list(open.unconfirmed(), StateWriter::size);
          to.list(open.waiting(), StateWriter::size);
        });
  }

  void load(StateReader from) {
    for (int rest = from.size(); rest > 0; rest--) {
      String name = from.text();
      Registered user = new Registered();
      users.put(name, user);
      long bytes = from.count();
      for (int spaces = from.size(); spaces > 0; spaces--) {
        user.spaces.put(from.text(), loadRegistry(from));
      }
      user.restore(bytes);
    }
  }

  private static Registry loadRegistry(StateReader from) {
    Registry registry = new Registry();
    registry.types.addAll(from.list(StateReader::type));
    for (int asked = from.size(); asked > 0; asked--) {
      registry.asked.put(from.type(), new TreeSet<>(from.list(StateReader::size)));
    }
    for (int open = from.size(); open > 0; open--) {
      registry.open.put(
          from.type(),
          new Announcement(
              new TreeSet<>(from.list(StateReader::size)),
              new LinkedHashSet<>(from.list(StateReader::size))));
    }
    return registry;
  }
}
