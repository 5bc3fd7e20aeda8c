package io.gleaner.rest;

import io.gleaner.http.Json;
import io.gleaner.http.OffLoop;
import io.gleaner.http.Requests;
import io.gleaner.identity.Role;
import io.gleaner.ledger.Ledger;
import io.gleaner.signin.Authentication;
import io.gleaner.signin.Caller;
import io.vertx.ext.web.RoutingContext;
import java.util.List;

/** The caller's own money. */
public final class AccountOperations {
  private static final int MOST_LINES = 1000;

  private final Ledger ledger;
  private final OffLoop offLoop;

  /**
   * Balance and last postings.
   *
   * @param balanceMicros what the caller may still put into bags
   * @param earnedMicros what the caller's launchers earned
   */
  record Account(
      String user,
      List<Role> roles,
      long balanceMicros,
      long earnedMicros,
      List<Ledger.Line> statement) {}

  public AccountOperations(Ledger ledger, OffLoop offLoop) {
    this.ledger = ledger;
    this.offLoop = offLoop;
  }

  void show(RoutingContext ctx) {
    Caller caller = Authentication.callerOf(ctx);
    int limit = Requests.number(ctx, "limit", 50, 1, MOST_LINES);
    String account = "user/" + caller.name();
    offLoop
        .call(
            () ->
                new Account(
                    caller.name(),
                    caller.user().roles().stream().sorted().toList(),
                    ledger.balance(account),
                    ledger.balance("owner/" + caller.name()),
                    ledger.statement(account, limit)))
        .onSuccess(shown -> Json.send(ctx, 200, shown))
        .onFailure(ctx::fail);
  }
}
