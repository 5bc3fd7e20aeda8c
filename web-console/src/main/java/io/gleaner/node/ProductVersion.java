package io.gleaner.node;

/** The version in the manifest of the jar. */
public final class ProductVersion {
  private ProductVersion() {}

  public static String text() {
    String version = ProductVersion.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
