package io.gleaner.storage;

/** The database could not be opened; the sentence says where, why and what to do. */
public final class StorageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Stable names that clients may rely on. */
  public enum Code {
    /** The settings make no sense. */
    INVALID,
    /** Another node has the folder open. */
    LOCKED,
    /** An acknowledged commit could be lost, so nothing is opened. */
    NOT_DURABLE,
    /** The schema on disk is not one that this version can bring up to date. */
    MIGRATION,
    /** The folder or the file cannot be read or written. */
    UNUSABLE
  }

  private final Code code;

  public StorageException(Code code, String message) {
    super(message);
    this.code = code;
  }

  public StorageException(Code code, String message, Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  public Code code() {
    return code;
  }
}
