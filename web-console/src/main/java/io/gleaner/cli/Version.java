package io.gleaner.cli;

import io.gleaner.node.ProductVersion;
import picocli.CommandLine.IVersionProvider;

/** What {@code gleaner --version} prints. */
final class Version implements IVersionProvider {

  @Override
  public String[] getVersion() {
    return new String[] {"gleaner " + ProductVersion.text()};
  }
}
