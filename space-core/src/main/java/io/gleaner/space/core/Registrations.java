package io.gleaner.space.core;

import io.gleaner.leasing.Deadlines;
import io.gleaner.matching.EncodedEntry;
import io.gleaner.matching.EntryType;
import io.gleaner.space.Command;
import io.gleaner.space.LeaseId;
import io.gleaner.space.Reply;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/** The registrations for events that sessions of this cell have made. */
final class Registrations {
  private final Context context;
  private final Questions questions;
  private final Directories directories;
  private final Map<Long, Registration> registrations = new LinkedHashMap<>();

  Registrations(Context context, Questions questions, Directories directories) {
    this.context = context;
    this.questions = questions;
    this.directories = directories;
  }

  /** One registration: it watches every bucket that may hold a match, those to come included. */
  private final class Registration implements Questions.Asker, Directories.Listener {
    final long session;

    /** Until it is answered; else null. */
    Call call;

    final Command.Register command;
    final Watcher watcher;
    final EventNumbers numbers;
    final Set<BucketKey> watched = new LinkedHashSet<>();
    final Set<ProbeId> unconfirmed = new LinkedHashSet<>();
    Deadlines.Handle expiry;
    long grantedMillis;

    Registration(long session, Call call, Command.Register command, long number) {
      this.session = session;
      this.call = call;
      this.command = command;
      this.numbers = new EventNumbers(number);
      this.watcher =
          new Watcher(
              number,
              command.templates(),
              command.transaction(),
              command.withEntry(),
              command.visibilityOnly(),
              command.withEntry());
    }

    void start() {
      directories.listen(command.space(), this);
      directories.candidates(command.space(), command.templates()).forEach(this::watch);
      answerOnceWatching();
    }

    private void watch(BucketKey bucket) {
      if (watched.add(bucket)) {
        ProbeId id = questions.ask(this);
        unconfirmed.add(id);
        context.send(bucket.cell(context.cells), new Message.Watch(id, bucket, watcher));
      }
    }

    @Override
    public void typeAdded(EntryType type) {
      List<BucketKey> added = new ArrayList<>();
      for (EncodedEntry template : command.templates()) {
        if (type.canMatch(template.type())) {
          Directories.addShards(command.space(), type, template, added);
        }
      }
      added.forEach(this::watch);
    }

    @Override
    public void watching(ProbeId id) {
      unconfirmed.remove(id);
      answerOnceWatching();
    }

    @Override
    public void refused(ProbeId id, Reply.Refused refusal) {
      answer(refusal);
    }

    @Override
    public void saveReference(StateWriter to) {
      to.count(Questions.REGISTRATION);
      to.number(watcher.registration());
    }

    void answer(Reply reply) {
      if (call != null) {
        call.answer(reply);
        call = null;
      }
    }

    private void answerOnceWatching() {
      if (unconfirmed.isEmpty()) {
        answerGranted();
      }
    }

    private void answerGranted() {
      LeaseId lease =
          new LeaseId(
              LeaseId.Kind.REGISTRATION, String.valueOf(context.cell), watcher.registration());
      answer(
          new Reply.Registered(watcher.registration(), new Reply.Granted(lease, grantedMillis), 0));
    }

    /** A lease that ends before all buckets are watched was granted all the same. */
    void expire() {
      answerGranted();
      end(watcher.registration());
    }
  }

  void register(Call call, Command.Register command, Participation under) {
    Registration registration = new Registration(call.session, call, command, context.ids.next());
    long number = registration.watcher.registration();
    registrations.put(number, registration);
    lease(registration, command.leaseMillis());
    if (under != null) {
      under.registrations.add(number);
    }
    registration.start();
  }

  private long lease(Registration registration, long millis) {
    long granted = LeaseCaps.granted(millis, context.limits.leases().registrationMillis());
    start(registration, granted);
    return granted;
  }

  private void start(Registration registration, long granted) {
    registration.grantedMillis = granted;
    if (registration.expiry != null) {
      context.deadlines.cancel(registration.expiry);
    }
    registration.expiry =
        context.deadlines.add(
            Deadlines.after(context.now(), registration.grantedMillis), registration::expire);
  }

  OptionalLong renew(long number, long millis) {
    Registration registration = registrations.get(number);
    return registration == null
        ? OptionalLong.empty()
        : OptionalLong.of(lease(registration, millis));
  }

  /** Every lease starts anew. */
  void restartLeases() {
    registrations.values().forEach(each -> start(each, each.grantedMillis));
  }

  /** False if there is no such registration. */
  boolean end(long number) {
    Registration registration = registrations.remove(number);
    if (registration == null) {
      return false;
    }
    context.deadlines.cancel(registration.expiry);
    directories.forget(registration.command.space(), registration);
    registration.unconfirmed.forEach(questions::over);
    for (BucketKey bucket : registration.watched) {
      context.send(bucket.cell(context.cells), new Message.Unwatch(bucket, number));
    }
    registration.answer(Participants.UNKNOWN);
    return true;
  }

  void sessionLeft(long session) {
    List.copyOf(registrations.values()).stream()
        .filter(registration -> registration.session == session)
        .forEach(registration -> end(registration.watcher.registration()));
  }

  void on(Message.Sighted message) {
    Registration registration = registrations.get(message.registration());
    if (registration == null) {
      // A watch that was installed after its end was announced.
      context.send(
          message.bucket().cell(context.cells),
          new Message.Unwatch(message.bucket(), message.registration()));
      return;
    }
    context
        .out()
        .event(
            registration.session,
            registration.numbers.next(
                Optional.ofNullable(message.entry()), message.becameVisible()));
  }

  int size() {
    return registrations.size();
  }

  /** The registration that the number names. */
  private Registration read(StateReader from) {
    return registrations.get(from.number());
  }

  Questions.Asker readAsker(StateReader from) {
    return read(from);
  }

  Directories.Listener readListener(StateReader from) {
    return read(from);
  }

  void save(StateWriter to) {
    to.list(registrations.values(), Registrations::save);
  }

  private static void save(StateWriter to, Registration each) {
    to.secret(each.watcher.registration());
    to.secret(each.session);
    boolean open = each.call != null && !each.call.isAnswered();
    to.flag(open);
    if (open) {
      to.call(each.call);
    }
    CommandCodec.write(to, each.command);
    to.count(each.numbers.last());
    to.list(each.watched, StateWriter::bucket);
    to.list(each.unconfirmed, StateWriter::probe);
    to.number(each.grantedMillis);
    to.handle(each.expiry);
  }

  void load(StateReader from, Function<StateReader, Call> calls) {
    for (int rest = from.size(); rest > 0; rest--) {
      long number = from.secret();
      long session = from.secret();
      Call call = from.flag() ? calls.apply(from) : null;
      Registration each =
          new Registration(session, call, (Command.Register) CommandCodec.read(from), number);
      each.numbers.continueAfter(from.count());
      each.watched.addAll(from.list(StateReader::bucket));
      each.unconfirmed.addAll(from.list(StateReader::probe));
      each.grantedMillis = from.number();
      each.expiry = from.handle();
      context.deadlines.restore(each.expiry, each::expire);
      registrations.put(number, each);
    }
  }
}
