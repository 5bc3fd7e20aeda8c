package io.gleaner.limits;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What was used lately, by its key: at most so many, the longest unused forgotten first. A look is
 * a use, so that even those who only look need the lock of whoever has it.
 */
public final class Recent<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;

  private final int most;

  /**
   * @param most at least one
   */
  public Recent(int most) {
    super(16, 0.75f, true);
    if (most < 1) {
      throw new IllegalArgumentException("a memory for " + most + " keys remembers nothing");
    }
    this.most = most;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > most;
  }
}
