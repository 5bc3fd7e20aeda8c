package io.gleaner.gateway;

import java.io.IOException;

/** The node to which a blob was sent knows nothing of it any more, or is another one now. */
final class UploadForgotten extends IOException {
  private static final long serialVersionUID = 1L;

  UploadForgotten() {
    super("the connection was lost in the middle of an upload; begin it again");
  }
}
