package io.gleaner.storage;

/**
 * How a journal batches and when it wants images.
 *
 * @param cells how many cells the space has
 * @param batchBytes after so many bytes of records a batch is full, at least 1 kB
 * @param logBytes how much the journal grows at least before it asks for images
 * @param retryMillis how long it waits before it tries a failed commit again
 */
public record JournalSettings(int cells, int batchBytes, long logBytes, long retryMillis) {
  public JournalSettings {
    StorageSettings.check(cells >= 1, "cells = " + cells, "at least 1");
    StorageSettings.check(batchBytes >= 1024, "batchBytes = " + batchBytes, "at least 1024");
    StorageSettings.check(logBytes >= 1, "logBytes = " + logBytes, "at least 1");
    StorageSettings.check(retryMillis >= 1, "retryMillis = " + retryMillis, "at least 1");
  }

  /** What suits a node. */
  public static JournalSettings of(int cells) {
    return new JournalSettings(cells, 1 << 20, 64L << 20, 500);
  }
}
