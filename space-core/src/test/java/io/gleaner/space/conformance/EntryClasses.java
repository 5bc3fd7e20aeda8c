package io.gleaner.space.conformance;

import net.jini.core.entry.Entry;

/** Classes that the entry specification allows and refuses. */
public final class EntryClasses {
  private EntryClasses() {}

  /** Refused: a primitive field. */
  public static class PrimitiveField implements Entry {
    private static final long serialVersionUID = 1L;
    public int number;
  }

  /** Refused: a subclass of one with a primitive field. */
  public static class InheritsPrimitiveField extends PrimitiveField {
    private static final long serialVersionUID = 1L;
    public String topic;
  }

  /** Refused: no public constructor without arguments. */
  public static class NoConstructor implements Entry {
    private static final long serialVersionUID = 1L;
    public String topic;

    public NoConstructor(String topic) {
      this.topic = topic;
    }
  }

  /** Refused: its constructor is not public. */
  public static class HiddenConstructor implements Entry {
    private static final long serialVersionUID = 1L;
    public String topic;

    HiddenConstructor() {}
  }

  /** Refused: not public. */
  static class HiddenClass implements Entry {
    private static final long serialVersionUID = 1L;
    public String topic;

    public HiddenClass() {}
  }

  /** Fields that are no part of the entry. */
  public static class ManyKindsOfField implements Entry {
    private static final long serialVersionUID = 1L;
    public static String shared = "shared";
    public final String fixed = "fixed";
    public transient String passing;
    public String kept;
    String packaged;
    protected String inherited;
    private String hidden;

    public ManyKindsOfField() {}

    /** Fills every field that can be. */
    public static ManyKindsOfField filled(String kept) {
      ManyKindsOfField entry = new ManyKindsOfField();
      entry.kept = kept;
      entry.passing = "passing";
      entry.packaged = "packaged";
      entry.inherited = "inherited";
      entry.hidden = "hidden";
      return entry;
    }

    String hidden() {
      return hidden;
    }
  }

  /** An entry without a field. */
  public static class NoFields implements Entry {
    private static final long serialVersionUID = 1L;

    public NoFields() {}
  }

  /** A field that shadows one of its superclass. */
  @SuppressWarnings("HidingField") // what is tested
  public static class Shadowing extends io.gleaner.space.Note {
    private static final long serialVersionUID = 1L;
    public String topic;

    public Shadowing() {}
  }
}
