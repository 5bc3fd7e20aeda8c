package io.gleaner.space.hosting;

import io.gleaner.leasing.Ticker;
import io.gleaner.space.Command;
import io.gleaner.space.Reply;
import io.gleaner.space.core.Message;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The questions of this member's clients that are not answered yet. Safe for all threads.
 *
 * <p>Who waited on an owner is unknown to the next one, and an answer may be lost on its way. So a
 * question is asked again when its cell has changed hands, and otherwise less and less often. The
 * space knows a request by its session and sequence and carries it out once.
 */
final class Callers {
  private static final long FIRST_PATIENCE_NANOS = 2_000_000_000L;
  private static final long MOST_PATIENCE_NANOS = 120_000_000_000L;

  /** How long an operation waits while cells are lost; a live cell answers much sooner. */
  private static final long LOST_PATIENCE_NANOS = 10_000_000_000L;

  /** Longer ones, of centuries, count as this. */
  private static final long LONGEST_WAIT_MILLIS = Duration.ofDays(36_500).toMillis();

  private static final String SILENT =
      "the storage of the space does not answer; when it is back this is done, or not at all: look"
          + " into the space then";

  /** No version of a cell. */
  private static final int UNKNOWN = -1;

  private final Roster roster;
  private final Ticker ticker;
  private final long patienceNanos;
  private final Map<Long, Question> open = new ConcurrentHashMap<>();
  // Numbers do not begin at 1: an answer to an earlier member at this address is none of ours.
  private final AtomicLong numbers = new AtomicLong(new SecureRandom().nextLong() >>> 2);
  private Outlet outlet;

  /** What was asked and who waits for it; times and versions change under its monitor. */
  private static final class Question {
    final int cell;
    final Message message;
    final CompletableFuture<?> answer;
    int version;
    long beganNanos;
    long askedNanos;
    long patienceNanos = FIRST_PATIENCE_NANOS;

    Question(int cell, Message message, CompletableFuture<?> answer) {
      this.cell = cell;
      this.message = message;
      this.answer = answer;
    }
  }

  /** What is awaited; who cancels it is not waited for any more. */
  private final class Answer<T> extends CompletableFuture<T> {
    private final long number;

    Answer(long number) {
      this.number = number;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      open.remove(number);
      return super.cancel(mayInterruptIfRunning);
    }
  }

  /**
   * @param storagePatience how long an operation waits for a storage that does not answer, beyond
   *     the time that it may wait for entries
   */
  Callers(Roster roster, Ticker ticker, Duration storagePatience) {
    this.roster = roster;
    this.ticker = ticker;
    this.patienceNanos = storagePatience.toNanos();
  }

  void sendThrough(Outlet way) {
    outlet = way;
  }

  <T> CompletableFuture<T> ask(int cell, Function<Asker, Message> message) {
    long number = numbers.incrementAndGet();
    CompletableFuture<T> answer = new Answer<>(number);
    Question question = new Question(cell, message.apply(new Asker(roster.here(), number)), answer);
    question.version = roster.version(cell);
    question.beganNanos = ticker.nanos();
    question.askedNanos = question.beganNanos;
    open.put(number, question);
    outlet.send(cell, question.message);
    return answer;
  }

  /** Asks again what may not have been heard, or not been answered. */
  void sweep() {
    long now = ticker.nanos();
    boolean alone = roster.isAlone();
    for (Question question : open.values()) {
      if (mustAskAgain(question, now, alone)) {
        outlet.send(question.cell, question.message);
      }
    }
  }

  /**
   * Answers operations that have waited for the storage long enough: whether they are done is not
   * known. Who asks again under the same number, when it is back, gets the answer.
   */
  void giveUp(long silentNanos) {
    if (silentNanos < patienceNanos) {
      return;
    }
    long now = ticker.nanos();
    open.forEach(
        (number, question) -> {
          if (isOperation(question.message)
              && now - question.beganNanos - waitNanos(question.message) >= patienceNanos) {
            answered(number, new Reply.Refused(Reply.Refusal.STORAGE_SILENT, SILENT));
          }
        });
  }

  /**
   * Answers operations that may wait for ever, because some cell that they need is one that nobody
   * has any more: their session's, say, or that of a class.
   */
  void giveUpLost(String why) {
    long now = ticker.nanos();
    open.forEach(
        (number, question) -> {
          if (isOperation(question.message)
              && now - question.beganNanos - waitNanos(question.message) >= LOST_PATIENCE_NANOS) {
            Reply.Refusal code =
                isLook(question.message)
                    ? Reply.Refusal.UNAVAILABLE
                    : Reply.Refusal.OUTCOME_UNKNOWN;
            answered(number, new Reply.Refused(code, why));
          }
        });
  }

  /** Whether it has no effect. */
  private static boolean isLook(Message message) {
    if (message instanceof Message.Request request) {
      return request.command() instanceof Command.Contents
          || (request.command() instanceof Command.Match match && !match.mode().takes());
    }
    return true;
  }

  private static boolean isOperation(Message message) {
    return message instanceof Message.Request || message instanceof Message.Look;
  }

  /** What it may take without any trouble. */
  private static long waitNanos(Message message) {
    return message instanceof Message.Request request
            && request.command() instanceof Command.Match match
        ? Math.min(match.timeoutMillis(), LONGEST_WAIT_MILLIS) * 1_000_000
        : 0;
  }

  private boolean mustAskAgain(Question question, long now, boolean alone) {
    synchronized (question) {
      int version = roster.version(question.cell);
      boolean changed = version != question.version;
      if (changed) {
        question.patienceNanos = FIRST_PATIENCE_NANOS;
      } else if (alone || now - question.askedNanos < question.patienceNanos) {
        return false;
      } else {
        question.patienceNanos = Math.min(2 * question.patienceNanos, MOST_PATIENCE_NANOS);
      }
      question.version = version;
      question.askedNanos = now;
      return true;
    }
  }

  /** What was asked of the cell may have no answer any more: it is asked again soon. */
  void doubt(int cell) {
    for (Question question : open.values()) {
      if (question.cell == cell) {
        synchronized (question) {
          question.version = UNKNOWN;
        }
      }
    }
  }

  @SuppressWarnings("unchecked") // both are asked with a future of a reply
  void answered(long number, Reply reply) {
    Question question = open.remove(number);
    if (question == null) {
      return;
    }
    if (isOperation(question.message)) {
      ((CompletableFuture<Reply>) question.answer).complete(reply);
    } else {
      String why = reply instanceof Reply.Refused refused ? refused.message() : reply.toString();
      question.answer.completeExceptionally(new IllegalStateException(why));
    }
  }

  @SuppressWarnings("unchecked") // sessions are asked for with a future of what was opened
  void opened(long number, Opened opened) {
    Question question = open.remove(number);
    if (question != null) {
      ((CompletableFuture<Opened>) question.answer).complete(opened);
    }
  }

  void closed(long number) {
    Question question = open.remove(number);
    if (question != null) {
      question.answer.complete(null);
    }
  }

  /** There will be no answers. */
  void failAll(Supplier<RuntimeException> why) {
    for (Long number : List.copyOf(open.keySet())) {
      Question question = open.remove(number);
      if (question != null) {
        question.answer.completeExceptionally(why.get());
      }
    }
  }
}
