package io.gleaner.api;

import io.gleaner.api.GleanerException.Code;
import io.gleaner.api.calls.CallFile;
import io.gleaner.api.calls.CallRunner;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Flow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls that went to the market as one bag, and what came of each. Safe for all threads. */
final class CallBatch implements Flow.Subscriber<TaskResult> {
  private static final Logger LOG = LoggerFactory.getLogger(CallBatch.class);

  private final List<MarketCall<?>> calls;
  private final Set<String> accepted;
  private final BagOfTasks bag;

  private CallBatch(List<MarketCall<?>> calls, Set<String> accepted, BagOfTasks bag) {
    this.calls = calls;
    this.accepted = accepted;
    this.bag = bag;
  }

  /** Submits the calls as one bag. */
  static CallBatch submit(
      Gleaner market, ExecutorBuilder.Terms terms, Bundle bundle, List<MarketCall<?>> calls) {
    BagOfTasks bag =
        market
            .bag(terms.name(), bundle, CallRunner.class.getName())
            .input(
                CallRunner.CALLS,
                CallFile.write(calls.stream().map(call -> call.serialised().bytes()).toList()))
            .range(CallRunner.CALL, 0, calls.size() - 1L)
            .unitsPerTask(terms.unitsPerCall())
            .mostUnitsPerTask(terms.mostUnitsPerCall())
            .timeLimit(terms.timeLimit())
            .outputLimit(terms.mostResultBytes())
            .memoryMegabytes(terms.memoryMegabytes())
            .maxAttempts(terms.maxAttempts())
            .budget(terms.budgetPerCall() * calls.size())
            .submit();
    return new CallBatch(calls, terms.packages(), bag);
  }

  /** Begins to hear of results. */
  void follow() {
    bag.results().subscribe(this);
  }

  /** Cancels the bag if nobody waits for any of its calls; asks the node and waits. */
  void cancelIfUnwanted() {
    if (calls.stream().allMatch(MarketCall::isDone)) {
      try {
        Progress unused = bag.cancel();
      } catch (GleanerException e) {
        LOG.warn("bag {} of cancelled calls could not be cancelled", bag.id(), e);
      }
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(TaskResult result) {
    if (result.taskIndex() < 0 || result.taskIndex() >= calls.size()) {
      LOG.warn("{} has a result of task {}, which is no call", bag, result.taskIndex());
      return;
    }
    MarketCall<?> call = calls.get(result.taskIndex());
    if (call.isDone()) {
      return;
    }
    if (result.completed()) {
      call.ended(result, accepted);
    } else {
      call.failed(
          new GleanerException(
              Code.TASK_FAILED,
              "the call could not be made: "
                  + result.reason()
                  + (result.logTail().isEmpty() ? "" : "\n" + result.logTail())));
    }
  }

  @Override
  public void onError(Throwable failure) {
    calls.forEach(call -> call.failed(failure));
  }

  @Override
  public void onComplete() {
    onError(new GleanerException(Code.DAMAGED, bag + " ended without a result of this call"));
  }
}
