package io.gleaner.storage;

/** The database cannot be used; the sentence says where, why and what to do. */
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
    /** The folder, the file or the server cannot be read or written. */
    UNUSABLE,
    /** It was written by a space that this one cannot go on with. */
    FORMAT,
    /** What is stored does not fit together. */
    DAMAGED
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
