package io.gleaner.cli;

import io.gleaner.api.Collector;
import io.gleaner.api.rest.RestClient;
import io.gleaner.description.BagDescription;
import io.gleaner.description.BagParser;
import io.gleaner.description.DescriptionException;
import io.gleaner.description.Glob;
import io.gleaner.signing.SignedManifest;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A bag description on this machine with the files that it names. */
record BagFiles(Path file, String text, BagDescription description) {

  /** Reads and checks it; every problem names its line. */
  static BagFiles read(Path file) {
    try {
      String text = Files.readString(file);
      return new BagFiles(file, text, BagParser.parse(text));
    } catch (DescriptionException e) {
      throw new CommandFailure(
          ExitCode.FAILED,
          file + " is refused:",
          e.problems().stream().map(Object::toString).toList());
    } catch (NoSuchFileException e) {
      throw new CommandFailure(ExitCode.FAILED, "there is no file " + file);
    } catch (MalformedInputException e) {
      throw new CommandFailure(ExitCode.FAILED, file + " is not UTF-8 text");
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot read " + file + ": " + e.getMessage());
    }
  }

  /** Uploads what the description names, then submits it. */
  JsonNode submit(RestClient api, Optional<String> key) {
    Map<String, String> digests = new TreeMap<>();
    for (String name : names()) {
      digests.put(name, api.upload(folder().resolve(name)));
    }
    String signed = description.bundle() + SignedManifest.SUFFIX;
    if (Files.isRegularFile(folder().resolve(signed))) {
      digests.put(signed, api.upload(folder().resolve(signed)));
    }
    return api.submit(text, digests, key.orElseGet(() -> UUID.randomUUID().toString()));
  }

  /** The program, which is there. */
  Path program() {
    requireFile(description.bundle());
    return folder().resolve(description.bundle());
  }

  /** Runs the collector of the bag, in this JVM: the program is the submitter's own. */
  Path collect(BagResults results, Path into) {
    String collector =
        description
            .collector()
            .orElseThrow(
                () ->
                    new CommandFailure(
                        ExitCode.FAILED,
                        file
                            + " names no collector; add 'collector: <class>' or leave out --collect"));
    try (URLClassLoader program =
        new URLClassLoader(
            new URL[] {folder().resolve(description.bundle()).toUri().toURL()},
            Collector.class.getClassLoader())) {
      Collector instance =
          program
              .loadClass(collector)
              .asSubclass(Collector.class)
              .getDeclaredConstructor()
              .newInstance();
      return instance.collect(results.parts(), into);
    } catch (Exception e) {
      throw new CommandFailure(ExitCode.FAILED, "the collector " + collector + " failed: " + e);
    }
  }

  private List<String> names() {
    Stream<String> single = description.files().stream();
    Stream<String> matched = description.patterns().stream().flatMap(this::matching);
    return Stream.concat(single, matched).peek(this::requireFile).distinct().toList();
  }

  private void requireFile(String name) {
    if (!Files.isRegularFile(folder().resolve(name))) {
      throw new CommandFailure(
          ExitCode.FAILED,
          file + " names the file " + name + ", and there is none at " + folder().resolve(name));
    }
  }

  private Stream<String> matching(String pattern) {
    Glob glob = Glob.of(pattern);
    try (Stream<Path> files = Files.walk(folder())) {
      List<String> names =
          files
              .filter(Files::isRegularFile)
              .map(folder()::relativize)
              .map(Path::toString)
              .filter(glob::matches)
              .sorted()
              .toList();
      if (names.isEmpty()) {
        throw new CommandFailure(ExitCode.FAILED, "no file in " + folder() + " matches " + pattern);
      }
      return names.stream();
    } catch (IOException e) {
      throw new CommandFailure(ExitCode.FAILED, "cannot list " + folder() + ": " + e.getMessage());
    }
  }

  private Path folder() {
    return file.toAbsolutePath().getParent();
  }
}
