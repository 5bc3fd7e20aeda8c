package io.gleaner.description;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The tasks of a bag: the product of its parameters, computed by index and never all at once.
 * Immutable and safe for all threads. The last parameter varies fastest.
 */
public final class TaskExpansion {

  /** Opens the content behind a digest; {@code BlobStore::open} is one. */
  @FunctionalInterface
  public interface Contents {
    InputStream open(String digest) throws IOException;
  }

  /**
   * One task.
   *
   * @param parameters its point of the sweep
   * @param inputs parameter name to blob digest, for those that are files
   */
  public record Point(Map<String, String> parameters, Map<String, String> inputs) {
    public Point {
      parameters = Map.copyOf(parameters);
      inputs = Map.copyOf(inputs);
    }
  }

  private final List<Axis> axes;
  private final int size;

  private TaskExpansion(List<Axis> axes, int size) {
    this.axes = List.copyOf(axes);
    this.size = size;
  }

  /**
   * Prepares the tasks of a description; reads its CSV files, and nothing else.
   *
   * @param files what was handed in: file names as digests
   * @throws DescriptionException if a file is missing or broken, two parameters have one name, or
   *     there are more than {@link BagDescription#MAX_TASKS} tasks, or its patterns or CSV files
   *     cost too much
   */
  public static TaskExpansion of(
      BagDescription description, Map<String, String> files, Contents contents) {
    List<Axis> axes = new ArrayList<>();
    List<String> names = new ArrayList<>();
    Glob.Work work = new Glob.Work();
    CsvRoom room = new CsvRoom();
    long size = 1;
    for (Parameter parameter : description.parameters()) {
      Axis axis = axis(parameter, files, contents, work, room);
      for (String name : axis.names()) {
        if (names.contains(name)) {
          throw new DescriptionException(
              DescriptionException.Code.INVALID,
              "parameters."
                  + parameter.name()
                  + ": a second parameter is called '"
                  + name
                  + "'; rename it, or the column of the CSV file");
        }
        names.add(name);
      }
      axes.add(axis);
      size *= axis.size();
      if (size > BagDescription.MAX_TASKS) {
        throw new DescriptionException(
            DescriptionException.Code.LIMIT,
            "the product of the parameters up to '"
                + parameter.name()
                + "' has "
                + size
                + " tasks; a bag has at most "
                + BagDescription.MAX_TASKS
                + ", so split it into several bags");
      }
    }
    return new TaskExpansion(axes, (int) size);
  }

  /** How many tasks there are, at least 1. */
  public int size() {
    return size;
  }

  /**
   * The task at an index.
   *
   * @param index from 0 to {@link #size} - 1
   */
  public Point task(int index) {
    java.util.Objects.checkIndex(index, size);
    Map<String, String> parameters = new LinkedHashMap<>();
    Map<String, String> inputs = new LinkedHashMap<>();
    int rest = index;
    for (int i = axes.size() - 1; i >= 0; i--) {
      Axis axis = axes.get(i);
      axis.put(rest % axis.size(), parameters, inputs);
      rest /= axis.size();
    }
    return new Point(parameters, inputs);
  }

  private static Axis axis(
      Parameter parameter,
      Map<String, String> files,
      Contents contents,
      Glob.Work work,
      CsvRoom room) {
    if (parameter instanceof Parameter.Constant constant) {
      return Axis.ofValues(constant.name(), 1, position -> constant.value());
    }
    if (parameter instanceof Parameter.Range range) {
      return Axis.ofValues(range.name(), range.count().intValueExact(), range::at);
    }
    if (parameter instanceof Parameter.Listed listed) {
      return Axis.ofValues(listed.name(), listed.values().size(), listed.values()::get);
    }
    if (parameter instanceof Parameter.Csv csv) {
      return CsvRows.read(csv, digest(csv.file(), csv.name(), files), contents, room);
    }
    return matching((Parameter.Files) parameter, files, work);
  }

  private static String digest(String file, String parameter, Map<String, String> files) {
    String digest = files.get(file);
    if (digest == null) {
      throw new DescriptionException(
          DescriptionException.Code.MISSING_FILE,
          "parameters." + parameter + ": the file '" + file + "' was not handed in; add it");
    }
    return digest;
  }

  private static Axis matching(
      Parameter.Files parameter, Map<String, String> files, Glob.Work work) {
    Glob pattern = Glob.of(parameter.glob());
    List<String> names =
        files.keySet().stream()
            .filter(name -> FileNames.problemOf(name).isEmpty() && pattern.matches(name, work))
            .sorted()
            .toList();
    if (names.isEmpty()) {
      throw new DescriptionException(
          DescriptionException.Code.MISSING_FILE,
          "parameters."
              + parameter.name()
              + ": no file that was handed in matches '"
              + parameter.glob()
              + "'; check the pattern and the folder");
    }
    return new Axis.OfFiles(parameter.name(), names, names.stream().map(files::get).toList());
  }
}
