package io.gleaner.bench;

import java.util.Optional;

/** What can be measured by itself. */
public enum Area {
  /** The tuple space, beside Apache River's. */
  SPACE {
    @Override
    public void run(Scale scale, Report report) throws Exception {
      SpaceArea.run(scale, report);
    }
  };

  /** The area of that name, or empty. */
  public static Optional<Area> named(String name) {
    for (Area area : values()) {
      if (area.title().equals(name)) {
        return Optional.of(area);
      }
    }
    return Optional.empty();
  }

  /** Its name in the command. */
  public String title() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /**
   * Measures and reports everything of the area.
   *
   * @throws Exception if something could not be measured at all
   */
  public abstract void run(Scale scale, Report report) throws Exception;
}
