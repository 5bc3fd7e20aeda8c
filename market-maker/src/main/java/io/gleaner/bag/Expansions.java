package io.gleaner.bag;

import io.gleaner.blob.BlobStore;
import io.gleaner.description.BagParser;
import io.gleaner.description.DescriptionException;
import io.gleaner.description.TaskExpansion;
import io.gleaner.limits.Recent;
import java.util.Map;

/** The tasks of bags that are asked for after their end; the last few are kept. Thread-safe. */
final class Expansions {
  private static final int KEPT = 8;

  private final BlobStore blobs;
  private final Map<String, TaskExpansion> recent = new Recent<>(KEPT);

  Expansions(BlobStore blobs) {
    this.blobs = blobs;
  }

  synchronized TaskExpansion of(BagRow row) {
    TaskExpansion known = recent.get(row.jobId());
    if (known != null) {
      return known;
    }
    try {
      TaskExpansion tasks =
          TaskExpansion.of(BagParser.parse(row.description()), row.files(), blobs::open);
      recent.put(row.jobId(), tasks);
      return tasks;
    } catch (DescriptionException e) {
      throw Submitting.refusal(e);
    }
  }
}
