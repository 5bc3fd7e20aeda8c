package io.gleaner.space.core;

import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import java.util.Optional;

/** One page of a listing that is an operation, such as one under a transaction. */
final class Listing implements Work, Questions.Asker {
  static final int KIND = 3;

  private final Context context;
  private final Questions questions;
  private final Directories directories;
  private final Call call;
  private final Command.Contents command;
  private Pages pages = Pages.none();

  Listing(
      Context context,
      Questions questions,
      Directories directories,
      Call call,
      Command.Contents command) {
    this.context = context;
    this.questions = questions;
    this.call = call;
    this.command = command;
    this.directories = directories;
  }

  @Override
  public void begin() {
    Optional<Pages> begun =
        Pages.of(
            directories.candidates(command.space(), command.templates()),
            command.cursor(),
            command.limit());
    if (begun.isPresent()) {
      pages = begun.get();
      lookFurther();
    } else {
      call.answer(Pages.STRANGE_CURSOR);
    }
  }

  private void lookFurther() {
    if (pages.isOver()) {
      call.answer(pages.reply());
      return;
    }
    context.send(
        pages.bucket().cell(context.cells),
        new Message.Page(
            questions.ask(this),
            pages.bucket(),
            command.templates(),
            command.transaction(),
            pages.after(),
            pages.room()));
  }

  @Override
  public void listed(Message.Listing listing) {
    pages.add(listing.entries(), listing.last(), listing.more());
    lookFurther();
  }

  @Override
  public void refused(ProbeId id, Reply.Refused refusal) {
    call.answer(refusal);
  }

  @Override
  public boolean abandon() {
    return true;
  }

  @Override
  public void saveReference(StateWriter to) {
    to.count(Questions.CALL);
    to.call(call);
  }

  @Override
  public void save(StateWriter to) {
    to.count(KIND);
    CommandCodec.write(to, command);
    pages.save(to);
  }

  void load(StateReader from) {
    pages = Pages.load(from, command.limit());
  }
}
