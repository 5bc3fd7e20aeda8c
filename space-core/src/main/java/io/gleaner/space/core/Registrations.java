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
import java.util.function.Consumer;

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
  private final class Registration implements Questions.Asker {
    final Call call;
    final Command.Register command;
    final Watcher watcher;
    final EventNumbers numbers;
    final Set<BucketKey> watched = new LinkedHashSet<>();
    final Set<ProbeId> unconfirmed = new LinkedHashSet<>();
    final Consumer<EntryType> listener = this::typeAdded;
    Deadlines.Handle expiry;
    long grantedMillis;

    Registration(Call call, Command.Register command, long number) {
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
      directories.listen(command.space(), listener);
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

    private void typeAdded(EntryType type) {
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
      call.answer(refusal);
    }

    private void answerOnceWatching() {
      if (unconfirmed.isEmpty() && !call.isAnswered()) {
        LeaseId lease =
            new LeaseId(
                LeaseId.Kind.REGISTRATION, String.valueOf(context.cell), watcher.registration());
        call.answer(
            new Reply.Registered(
                watcher.registration(), new Reply.Granted(lease, grantedMillis), 0));
      }
    }
  }

  void register(Call call, Command.Register command, Participation under) {
    Registration registration = new Registration(call, command, context.ids.next());
    long number = registration.watcher.registration();
    registrations.put(number, registration);
    lease(registration, command.leaseMillis());
    if (under != null) {
      under.onceOver.add(() -> end(number));
    }
    registration.start();
  }

  private long lease(Registration registration, long millis) {
    registration.grantedMillis = millis < 0 ? Long.MAX_VALUE : millis;
    if (registration.expiry != null) {
      context.deadlines.cancel(registration.expiry);
    }
    registration.expiry =
        context.deadlines.add(
            Deadlines.after(context.now(), registration.grantedMillis),
            () -> end(registration.watcher.registration()));
    return registration.grantedMillis;
  }

  OptionalLong renew(long number, long millis) {
    Registration registration = registrations.get(number);
    return registration == null
        ? OptionalLong.empty()
        : OptionalLong.of(lease(registration, millis));
  }

  /** Every lease starts anew. */
  void restartLeases() {
    registrations.values().forEach(each -> lease(each, each.grantedMillis));
  }

  /** False if there is no such registration. */
  boolean end(long number) {
    Registration registration = registrations.remove(number);
    if (registration == null) {
      return false;
    }
    context.deadlines.cancel(registration.expiry);
    directories.forget(registration.command.space(), registration.listener);
    registration.unconfirmed.forEach(questions::over);
    for (BucketKey bucket : registration.watched) {
      context.send(bucket.cell(context.cells), new Message.Unwatch(bucket, number));
    }
    registration.call.answer(Participants.UNKNOWN);
    return true;
  }

  void sessionLeft(long session) {
    List.copyOf(registrations.values()).stream()
        .filter(registration -> registration.call.session == session)
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
            registration.call.session,
            registration.numbers.next(
                Optional.ofNullable(message.entry()), message.becameVisible()));
  }

  int size() {
    return registrations.size();
  }
}
