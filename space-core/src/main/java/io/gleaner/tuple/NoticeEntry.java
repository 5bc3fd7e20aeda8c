package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import io.gleaner.matching.Transient;
import net.jini.core.entry.Entry;

/**
 * Why the market leaves a launcher out for a while. Written by nodes only, alive as long as it is
 * true.
 */
@Transient
@CanonicalOnly
public class NoticeEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The launcher. */
  @Shard public String launcherId;

  /** One sentence for its owner. */
  public String reason;

  /** When it is over, in milliseconds since 1970. */
  public Long untilMillis;

  /** The template that matches every entry of this class. */
  public NoticeEntry() {}

  /** The template of what one launcher is told. */
  public static NoticeEntry ofLauncher(String launcherId) {
    NoticeEntry template = new NoticeEntry();
    template.launcherId = launcherId;
    return template;
  }
}
