package io.gleaner.space.core;

import io.gleaner.matching.EntryType;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The list of entry classes of the spaces whose registry this cell is. A class counts as announced
 * when every cell that joined the space has said that it knows it; cells that join later get it
 * with the list.
 */
final class Registries {
  private final Context context;
  private final Map<String, Registry> spaces = new LinkedHashMap<>();

  private static final class Registry {
    final Set<EntryType> types = new LinkedHashSet<>();
    final Set<Integer> members = new LinkedHashSet<>();
    final Map<EntryType, Announcement> open = new LinkedHashMap<>();
  }

  /** A class that not every member has confirmed yet. */
  private record Announcement(Set<Integer> unconfirmed, Set<Integer> waiting) {}

  Registries(Context context) {
    this.context = context;
  }

  void on(Message.JoinSpace message) {
    Registry registry = spaces.computeIfAbsent(message.space(), s -> new Registry());
    registry.members.add(message.from());
    context.send(
        message.from(), new Message.SpaceJoined(message.space(), List.copyOf(registry.types)));
  }

  void on(Message.Announce message) {
    Registry registry = spaces.computeIfAbsent(message.space(), s -> new Registry());
    EntryType type = message.type();
    Announcement open = registry.open.get(type);
    if (open != null) {
      open.waiting().add(message.from());
    } else if (registry.types.contains(type)) {
      answer(message.from(), message.space(), type, true);
    } else if (registry.types.size() >= context.limits.types()) {
      answer(message.from(), message.space(), type, false);
    } else {
      registry.types.add(type);
      open = new Announcement(new LinkedHashSet<>(registry.members), new LinkedHashSet<>());
      open.waiting().add(message.from());
      registry.open.put(type, open);
      for (int member : registry.members) {
        context.send(member, new Message.TypeAdded(message.space(), type));
      }
    }
  }

  void on(Message.TypeKnown message) {
    Registry registry = spaces.get(message.space());
    Announcement open = registry.open.get(message.type());
    if (open != null && open.unconfirmed().remove(message.from()) && open.unconfirmed().isEmpty()) {
      registry.open.remove(message.type());
      open.waiting().forEach(cell -> answer(cell, message.space(), message.type(), true));
    }
  }

  private void answer(int cell, String space, EntryType type, boolean accepted) {
    context.send(cell, new Message.Announced(space, type, accepted));
  }

  void save(StateWriter to) {
    to.count(spaces.size());
    spaces.forEach(
        (space, registry) -> {
          to.text(space);
          to.list(registry.types, StateWriter::type);
          to.list(registry.members, StateWriter::size);
          to.count(registry.open.size());
          registry.open.forEach(
              (type, open) -> {
                to.type(type);
                to.list(open.unconfirmed(), StateWriter::size);
                to.list(open.waiting(), StateWriter::size);
              });
        });
  }

  void load(StateReader from) {
    for (int rest = from.size(); rest > 0; rest--) {
      Registry registry = new Registry();
      spaces.put(from.text(), registry);
      registry.types.addAll(from.list(StateReader::type));
      registry.members.addAll(from.list(StateReader::size));
      for (int open = from.size(); open > 0; open--) {
        registry.open.put(
            from.type(),
            new Announcement(
                new LinkedHashSet<>(from.list(StateReader::size)),
                new LinkedHashSet<>(from.list(StateReader::size))));
      }
    }
  }
}
