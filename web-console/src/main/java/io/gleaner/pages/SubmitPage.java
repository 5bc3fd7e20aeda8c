package io.gleaner.pages;

import io.gleaner.bag.Bags;
import io.gleaner.blob.BlobStore;
import io.gleaner.blob.UserBlobs;
import io.gleaner.http.ConsoleException;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Problem;
import io.gleaner.rest.BagOperations;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.gleaner.signing.Digests;
import io.vertx.ext.web.FileUpload;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The form for a new bag. What was typed or uploaded survives a refusal; the hidden key makes the
 * same form submit one bag however often its button is pressed.
 */
public final class SubmitPage {
  private static final String DESCRIPTION_FILE = "description-file";
  private static final String KEPT = "kept";
  private static final long LONGEST_DESCRIPTION = 1024L * 1024;

  private final Bags bags;
  private final UserBlobs blobs;
  private final Frames frames;
  private final OffLoop offLoop;

  /**
   * The form as it is shown.
   *
   * @param files what was uploaded already, digests by name
   * @param lines the description line by line with its problems; empty unless it was refused
   */
  public record Form(
      String key,
      String description,
      Map<String, String> files,
      Optional<Problem> problem,
      List<MarkedLine> lines) {}

  private record Received(String key, String description, Map<String, String> files) {}

  private record Part(String field, String name, Path file) {}

  SubmitPage(Bags bags, UserBlobs blobs, Frames frames, OffLoop offLoop) {
    this.bags = bags;
    this.blobs = blobs;
    this.frames = frames;
    this.offLoop = offLoop;
  }

  void show(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    caller.requireSubmitter();
    Form form = new Form(UUID.randomUUID().toString(), "", Map.of(), Optional.empty(), List.of());
    show(ctx, 200, caller, form);
  }

  void post(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    caller.requireSubmitter();
    String key = BagOperations.requireKey(ctx.request().getFormAttribute("key"));
    String typed = Optional.ofNullable(ctx.request().getFormAttribute("description")).orElse("");
    List<String> kept = ctx.request().formAttributes().getAll(KEPT);
    List<Part> parts = ctx.fileUploads().stream().map(SubmitPage::part).toList();
    offLoop
        .call(() -> receive(key, typed, kept, parts, blobs.of(caller.name())))
        .onSuccess(received -> submit(ctx, caller, received))
        .onFailure(ctx::fail);
  }

  private void submit(RoutingContext ctx, Caller caller, Received received) {
    offLoop
        .call(
            () ->
                bags.submit(
                    caller.name(),
                    new Bags.Submission(
                        received.description(),
                        UploadNames.asDescribed(received.description(), received.files()),
                        received.key())))
        .onSuccess(
            bag ->
                ctx.response()
                    .setStatusCode(303)
                    .putHeader("Location", "/bags/" + bag.jobId())
                    .end())
        .onFailure(failure -> refuse(ctx, caller, received, failure));
  }

  private void refuse(RoutingContext ctx, Caller caller, Received received, Throwable failure) {
    Problem problem = Problem.of(failure);
    if (problem.isInternal()) {
      ctx.fail(failure);
      return;
    }
    Form form =
        new Form(
            received.key(),
            received.description(),
            received.files(),
            Optional.of(problem),
            MarkedLine.of(received.description(), problem.problems()));
    show(ctx, problem.status(), caller, form);
  }

  private void show(RoutingContext ctx, int status, Caller caller, Form form) {
    Templates.send(
        ctx,
        status,
        "submit",
        Map.of("frame", frames.of(caller, "Submit a bag", "submit"), "form", form));
  }

  private Received receive(
      String key, String typed, List<String> kept, List<Part> parts, BlobStore theirs)
      throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (String file : kept) {
      // digest, colon, name: as the hidden fields of this form write it.
      String[] halves = file.split(":", 2);
      if (halves.length == 2 && Digests.isSha256Hex(halves[0])) {
        files.put(halves[1], halves[0]);
      }
    }
    String description = typed;
    for (Part part : parts) {
      if (part.name().isEmpty()) {
        continue;
      }
      if (part.field().equals(DESCRIPTION_FILE)) {
        description = read(part.file());
      } else {
        try (InputStream in = Files.newInputStream(part.file())) {
          files.put(part.name(), theirs.put(in));
        }
      }
    }
    return new Received(key, description, files);
  }

  private static String read(Path file) throws IOException {
    if (Files.size(file) > LONGEST_DESCRIPTION) {
      throw new ConsoleException(
          ConsoleException.Code.TOO_LARGE,
          "a description has at most " + LONGEST_DESCRIPTION + " bytes");
    }
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static Part part(FileUpload upload) {
    return new Part(upload.name(), upload.fileName(), Path.of(upload.uploadedFileName()));
  }

  /** A line of the description, with what is wrong in it. */
  public record MarkedLine(int number, String text, List<String> problems) {
    private static final Pattern LINE =
        Pattern.compile("^line (\\d{1,7})(?:, column \\d{1,7})?[,:]? *");

    /** All lines, if any problem names a line. */
    static List<MarkedLine> of(String description, List<String> problems) {
      Map<Integer, List<String>> byLine = new TreeMap<>();
      for (String problem : problems) {
        Matcher line = LINE.matcher(problem);
        if (line.find()) {
          byLine
              .computeIfAbsent(Integer.parseInt(line.group(1)), n -> new ArrayList<>())
              .add(problem.substring(line.end()));
        }
      }
      List<MarkedLine> marked = new ArrayList<>();
      int number = 0;
      for (String text : byLine.isEmpty() ? List.<String>of() : description.lines().toList()) {
        number++;
        marked.add(new MarkedLine(number, text, byLine.getOrDefault(number, List.of())));
      }
      return marked;
    }
  }
}
