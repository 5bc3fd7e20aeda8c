package io.gleaner.status;

import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * How a launcher is at one moment.
 *
 * @param reason the one reason for the state, with its numbers
 * @param profile which of the owner's profiles holds, and why
 * @param notice why the market sends it no work and until when, if it does not
 * @param running tasks that it holds, as bag/task
 * @param refused results that came too late
 * @param meteredMicroUnits work since it started
 * @param microUnitsPerSecond speed of one slot
 */
public record LauncherStatus(
    String launcher,
    String owner,
    String state,
    String reason,
    String profile,
    Optional<String> notice,
    int slots,
    List<String> running,
    long completed,
    long failed,
    long refused,
    long meteredMicroUnits,
    long microUnitsPerSecond,
    long reserveMicrosPerUnit) {

  private static final double MICROS = 1_000_000;

  public LauncherStatus {
    running = List.copyOf(running);
  }

  /** One JSON object with the names of this record. */
  public String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(ObjectWriteContext.empty(), text)) {
      json.writeStartObject();
      json.writeStringProperty("launcher", launcher);
      json.writeStringProperty("owner", owner);
      json.writeStringProperty("state", state);
      json.writeStringProperty("reason", reason);
      json.writeStringProperty("profile", profile);
      notice.ifPresent(why -> json.writeStringProperty("notice", why));
      json.writeNumberProperty("slots", slots);
      json.writeArrayPropertyStart("running");
      running.forEach(json::writeString);
      json.writeEndArray();
      json.writeNumberProperty("completed", completed);
      json.writeNumberProperty("failed", failed);
      json.writeNumberProperty("refused", refused);
      json.writeNumberProperty("meteredMicroUnits", meteredMicroUnits);
      json.writeNumberProperty("microUnitsPerSecond", microUnitsPerSecond);
      json.writeNumberProperty("reserveMicrosPerUnit", reserveMicrosPerUnit);
      json.writeEndObject();
    }
    return text.toString();
  }

  /** A few lines for a person. */
  public String text() {
    return """
        %s of %s: %s
        %s%s
        profile    %s
        slots      %d of %.2f units/s
        running    %s
        completed  %d tasks, %.1f units of work; %d failed, %d too late
        reserve    %.6f credits a unit
        """
        .formatted(
            launcher,
            owner,
            state.toLowerCase(java.util.Locale.ROOT).replace('_', ' '),
            reason,
            notice.map(why -> "\n" + why).orElse(""),
            profile,
            slots,
            microUnitsPerSecond / MICROS,
            running.isEmpty() ? "nothing" : String.join(", ", running),
            completed,
            meteredMicroUnits / MICROS,
            failed,
            refused,
            reserveMicrosPerUnit / MICROS);
  }
}
