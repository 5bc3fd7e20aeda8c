package io.gleaner.space.history;

import io.gleaner.space.Note;
import io.gleaner.space.SpreadNote;
import net.jini.core.entry.Entry;

/** Of which class the entries of a history are. */
public enum Kind {
  /** All keys in one bucket of the space. */
  TOGETHER {
    @Override
    Entry entry(String key, Integer number) {
      return new Note(key, number);
    }

    @Override
    int numberOf(Entry entry) {
      return ((Note) entry).number;
    }

    @Override
    String keyOf(Entry entry) {
      return ((Note) entry).topic;
    }
  },
  /** Every key in a bucket of its own, most of them in other cells. */
  SPREAD {
    @Override
    Entry entry(String key, Integer number) {
      return new SpreadNote(key, number);
    }

    @Override
    int numberOf(Entry entry) {
      return ((SpreadNote) entry).number;
    }

    @Override
    String keyOf(Entry entry) {
      return ((SpreadNote) entry).shard;
    }
  };

  /** The entry, or the template of the key if the number is null. */
  abstract Entry entry(String key, Integer number);

  abstract int numberOf(Entry entry);

  abstract String keyOf(Entry entry);
}
