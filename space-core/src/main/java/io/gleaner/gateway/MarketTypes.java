package io.gleaner.gateway;

import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryCodec;
import io.gleaner.matching.EntryType;
import io.gleaner.tuple.AttemptEntry;
import io.gleaner.tuple.BidEntry;
import io.gleaner.tuple.CheckpointEntry;
import io.gleaner.tuple.ContractEntry;
import io.gleaner.tuple.JobEntry;
import io.gleaner.tuple.LeaderEntry;
import io.gleaner.tuple.NoticeEntry;
import io.gleaner.tuple.OfferEntry;
import io.gleaner.tuple.PriceEntry;
import io.gleaner.tuple.ResultEntry;
import io.gleaner.tuple.SignerEntry;
import io.gleaner.tuple.StatusEntry;
import io.gleaner.tuple.TaskEntry;
import io.gleaner.tuple.TaskKind;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.jini.core.entry.Entry;

/**
 * The market's entry classes by the names that {@link io.gleaner.identity.Permissions} know. A type
 * of such a name and another shape is none of them. Stateless.
 */
final class MarketTypes {
  private static final Map<String, EntryType> KNOWN =
      List.<Entry>of(
              new AttemptEntry(),
              new BidEntry(),
              new CheckpointEntry(),
              new ContractEntry(),
              new JobEntry(),
              new LeaderEntry(),
              new NoticeEntry(),
              new OfferEntry(),
              new PriceEntry(),
              new ResultEntry(),
              new SignerEntry(),
              new StatusEntry(),
              new TaskEntry())
          .stream()
          .map(entry -> EntryCodec.encode(entry).type())
          .collect(Collectors.toUnmodifiableMap(EntryType::name, Function.identity()));

  private static final EncodedEntry WASM_ONLY = EntryCodec.encode(wasmOnly());

  private static final String ROOM = OfferEntry.class.getPackageName() + ".";

  private MarketTypes() {}

  private static OfferEntry wasmOnly() {
    OfferEntry template = new OfferEntry();
    template.kinds = List.of(TaskKind.WASM.name());
    return template;
  }

  /** Whether it is an offer to run WebAssembly and nothing else. */
  static boolean isForWasmOnly(EncodedEntry entry) {
    return WASM_ONLY.matches(entry);
  }

  /** The template of a device's entries of a kind that is counted. */
  static Entry ofLauncher(String kind, String device) {
    return switch (kind) {
      case "OfferEntry" -> OfferEntry.ofLauncher(device);
      case "StatusEntry" -> StatusEntry.ofLauncher(device);
      case "CheckpointEntry" -> {
        CheckpointEntry template = new CheckpointEntry();
        template.launcherId = device;
        yield template;
      }
      default -> throw new IllegalArgumentException(kind + " is not counted");
    };
  }

  /** The name of the class without its package, or what it is instead. */
  static String kindOf(EntryType type) {
    EntryType known = KNOWN.get(type.name());
    if (known == null) {
      return type.name();
    }
    return known.equals(type)
        ? type.name().substring(ROOM.length())
        : type.name() + " with other fields than this node knows";
  }
}
