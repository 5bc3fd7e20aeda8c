package io.gleaner.gateway;

import static io.gleaner.gateway.Protocol.requireKnown;

import io.gleaner.gateway.wire.Wire;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.space.Reply;
import io.gleaner.space.SpaceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Replies and events as messages and back. An answer of many entries takes several frames. */
final class ReplyFrames {

  private ReplyFrames() {}

  /** The frames of the reply, in their order; all but the last say that more follow. */
  static List<Wire.Executed> write(long session, long sequence, Reply reply) {
    if (reply instanceof Reply.Matched r) {
      return inParts(session, sequence, r.entries(), Optional.empty(), false);
    }
    if (reply instanceof Reply.Reserved r) {
      return inParts(session, sequence, r.entries(), Optional.empty(), true);
    }
    if (reply instanceof Reply.Listed r) {
      return inParts(session, sequence, r.entries(), Optional.of(r.cursor()), false);
    }
    Wire.Executed.Builder frame =
        Wire.Executed.newBuilder().setSession(session).setSequence(sequence);
    if (reply instanceof Reply.Written r) {
      Wire.Written.Builder written = Wire.Written.newBuilder();
      r.leases().forEach(granted -> written.addLeases(granted(granted)));
      frame.setWritten(written);
    } else if (reply instanceof Reply.Registered r) {
      frame.setRegistered(
          Wire.Registered.newBuilder()
              .setEventId(r.eventId())
              .setLease(granted(r.lease()))
              .setSequence(r.sequence()));
    } else if (reply instanceof Reply.Renewed r) {
      frame.setRenewed(Wire.Renewed.newBuilder().setMillis(r.millis()));
    } else if (reply instanceof Reply.EachLease r) {
      frame.setEachLease(Wire.EachLease.newBuilder().addAllMillis(r.millis()));
    } else if (reply instanceof Reply.Began r) {
      frame.setBegan(
          Wire.Began.newBuilder().setTransaction(r.transaction()).setLease(granted(r.lease())));
    } else if (reply instanceof Reply.StateOf r) {
      frame.setStateOf(Wire.StateOf.newBuilder().setState(r.state()));
    } else if (reply instanceof Reply.Done) {
      frame.setDone(Wire.Done.getDefaultInstance());
    } else if (reply instanceof Reply.Refused r) {
      frame.setRefused(
          Wire.Refused.newBuilder()
              .setCode(Wire.Refused.Code.valueOf(r.code().name()))
              .setMessage(r.message()));
    } else {
      throw new AssertionError("the protocol does not carry " + reply.getClass());
    }
    return List.of(frame.build());
  }

  /**
   * Reads an answer.
   *
   * @param parts its frames, in their order
   */
  static Reply read(List<Wire.Executed> parts) throws MalformedFrame {
    Wire.Executed frame = parts.get(parts.size() - 1);
    requireKnown(frame);
    return switch (frame.getReplyCase()) {
      case MATCHED ->
          frame.getMatched().getReserved()
              ? new Reply.Reserved(entries(parts))
              : new Reply.Matched(entries(parts));
      case LISTED -> new Reply.Listed(entries(parts), frame.getListed().getCursor());
      case WRITTEN -> {
        List<Reply.Granted> leases = new ArrayList<>(frame.getWritten().getLeasesCount());
        for (Wire.Granted granted : frame.getWritten().getLeasesList()) {
          leases.add(granted(granted));
        }
        yield new Reply.Written(leases);
      }
      case REGISTERED ->
          new Reply.Registered(
              frame.getRegistered().getEventId(),
              granted(frame.getRegistered().getLease()),
              frame.getRegistered().getSequence());
      case RENEWED -> new Reply.Renewed(frame.getRenewed().getMillis());
      case EACH_LEASE -> new Reply.EachLease(frame.getEachLease().getMillisList());
      case BEGAN ->
          new Reply.Began(frame.getBegan().getTransaction(), granted(frame.getBegan().getLease()));
      case STATE_OF -> new Reply.StateOf(frame.getStateOf().getState());
      case DONE -> new Reply.Done();
      case REFUSED ->
          new Reply.Refused(refusal(frame.getRefused().getCode()), frame.getRefused().getMessage());
      case REPLY_NOT_SET -> throw new MalformedFrame("an answer has no reply");
    };
  }

  static Wire.Event write(long session, SpaceEvent event) {
    Wire.Event.Builder frame =
        Wire.Event.newBuilder()
            .setSession(session)
            .setEventId(event.eventId())
            .setSequence(event.sequence())
            .setBecameVisible(event.becameVisible());
    if (event.entry().isPresent()) {
      EntryWriter writer = new EntryWriter();
      frame.setEntry(writer.entry(event.entry().get())).addAllTypes(writer.types());
    }
    return frame.build();
  }

  static SpaceEvent read(Wire.Event frame) throws MalformedFrame {
    requireKnown(frame);
    Optional<EncodedEntry> entry =
        frame.hasEntry()
            ? Optional.of(EntryReader.of(frame.getTypesList()).entry(frame.getEntry()))
            : Optional.empty();
    return new SpaceEvent(frame.getEventId(), frame.getSequence(), entry, frame.getBecameVisible());
  }

  private static List<Wire.Executed> inParts(
      long session,
      long sequence,
      List<EncodedEntry> entries,
      Optional<String> cursor,
      boolean reserved) {
    List<Wire.Executed> parts = new ArrayList<>(1);
    int from = 0;
    do {
      int to = from;
      long bytes = 0;
      while (to < entries.size() && (to == from || bytes < Protocol.ANSWER_PART_BYTES)) {
        bytes += entries.get(to).sizeBytes();
        to++;
      }
      EntryWriter writer = new EntryWriter();
      List<Wire.Entry> written = writer.entries(entries.subList(from, to));
      Wire.Executed.Builder part =
          Wire.Executed.newBuilder()
              .setSession(session)
              .setSequence(sequence)
              .setMore(to < entries.size())
              .addAllTypes(writer.types());
      if (cursor.isPresent()) {
        part.setListed(Wire.Listed.newBuilder().addAllEntries(written).setCursor(cursor.get()));
      } else {
        part.setMatched(Wire.Matched.newBuilder().addAllEntries(written).setReserved(reserved));
      }
      parts.add(part.build());
      from = to;
    } while (from < entries.size());
    return parts;
  }

  private static List<EncodedEntry> entries(List<Wire.Executed> parts) throws MalformedFrame {
    List<EncodedEntry> entries = new ArrayList<>();
    for (Wire.Executed part : parts) {
      EntryReader reader = EntryReader.of(part.getTypesList());
      entries.addAll(
          reader.entries(
              part.hasMatched()
                  ? part.getMatched().getEntriesList()
                  : part.getListed().getEntriesList()));
    }
    return entries;
  }

  private static Wire.Granted granted(Reply.Granted granted) {
    return Wire.Granted.newBuilder()
        .setLease(CommandFrames.lease(granted.lease()))
        .setMillis(granted.millis())
        .build();
  }

  private static Reply.Granted granted(Wire.Granted granted) throws MalformedFrame {
    requireKnown(granted);
    return new Reply.Granted(CommandFrames.lease(granted.getLease()), granted.getMillis());
  }

  private static Reply.Refusal refusal(Wire.Refused.Code code) throws MalformedFrame {
    return switch (code) {
      case UNKNOWN_TRANSACTION -> Reply.Refusal.UNKNOWN_TRANSACTION;
      case CANNOT_COMMIT -> Reply.Refusal.CANNOT_COMMIT;
      case CANNOT_ABORT -> Reply.Refusal.CANNOT_ABORT;
      case UNKNOWN_LEASE -> Reply.Refusal.UNKNOWN_LEASE;
      case LEASE_DENIED -> Reply.Refusal.LEASE_DENIED;
      case OUTCOME_UNKNOWN -> Reply.Refusal.OUTCOME_UNKNOWN;
      case UNKNOWN_SESSION -> Reply.Refusal.UNKNOWN_SESSION;
      case GIVEN_BACK -> Reply.Refusal.GIVEN_BACK;
      case LIMIT -> Reply.Refusal.LIMIT;
      case OVERLOADED -> Reply.Refusal.OVERLOADED;
      case INVALID -> Reply.Refusal.INVALID;
      case FORBIDDEN -> Reply.Refusal.FORBIDDEN;
      case UNAVAILABLE -> Reply.Refusal.UNAVAILABLE;
      case STORAGE_SILENT -> Reply.Refusal.STORAGE_SILENT;
      case UNSPECIFIED, UNRECOGNIZED -> throw new MalformedFrame("a refusal has no known code");
    };
  }
}
