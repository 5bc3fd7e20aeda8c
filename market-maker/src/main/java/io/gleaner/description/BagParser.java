package io.gleaner.description;

/** Reads bag descriptions. Safe for all threads. */
public final class BagParser {
  private BagParser() {}

  /**
   * Reads and checks a description.
   *
   * @param yaml the text, at most 1 MB
   * @return the description with its defaults filled in
   * @throws DescriptionException with every error found, each with line, column, field and advice
   */
  public static BagDescription parse(String yaml) {
    Problems problems = new Problems();
    YamlTree tree =
        YamlReader.read(yaml, problems)
            .orElseThrow(() -> new DescriptionException(problems.sorted()));
    SchemaCheck.check(tree, problems);
    BagDescription description = new BagReader(tree, problems).read();
    problems.refuseIfAny();
    return description;
  }
}
