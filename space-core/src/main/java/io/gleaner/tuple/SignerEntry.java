package io.gleaner.tuple;

import io.gleaner.matching.CanonicalOnly;
import io.gleaner.matching.Shard;
import net.jini.core.entry.Entry;

/**
 * What the pool says of a signer of programs, or of one signed program. Written by nodes only. Of
 * two that contradict each other the one that revokes holds.
 */
@CanonicalOnly
public class SignerEntry implements Entry {
  private static final long serialVersionUID = 1L;

  /** The signer's key, or the digest of a signed manifest; 64 hexadecimal digits. */
  @Shard public String subject;

  /** Whose key it is, or who revoked it. */
  public String owner;

  /** Whether nothing of it may run any more. */
  public Boolean revoked;

  /** The template that matches every entry of this class. */
  public SignerEntry() {}

  /** The template of what is said of one. */
  public static SignerEntry of(String subject, boolean revoked) {
    SignerEntry template = new SignerEntry();
    template.subject = subject;
    template.revoked = revoked;
    return template;
  }
}
