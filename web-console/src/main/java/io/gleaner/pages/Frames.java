package io.gleaner.pages;

import io.gleaner.identity.Permissions.Action;
import io.gleaner.identity.Thing;
import io.gleaner.live.LiveHub;
import io.gleaner.rest.NodeFacts;
import io.gleaner.signin.Caller;
import java.util.Optional;

/** Makes the frame of a page before its content is read, so that no change falls in between. */
final class Frames {
  private final LiveHub hub;
  private final NodeFacts node;

  Frames(LiveHub hub, NodeFacts node) {
    this.hub = hub;
    this.node = node;
  }

  Frame of(Caller caller, String title, String active) {
    return of(Optional.of(caller), title, active, "");
  }

  Frame ofBag(Caller caller, String title, String bag) {
    return of(Optional.of(caller), title, "overview", bag);
  }

  Frame of(Optional<Caller> caller, String title) {
    return of(caller, title, "", "");
  }

  private Frame of(Optional<Caller> caller, String title, String active, String bag) {
    return new Frame(
        title,
        active,
        caller.map(Caller::name).orElse(""),
        caller.map(Caller::submits).orElse(false),
        caller.map(who -> who.may(Action.READ, Thing.every(Thing.ACCOUNT))).orElse(false),
        caller.flatMap(Caller::session).map(session -> session.csrf().reveal()).orElse(""),
        hub.position(),
        bag,
        node);
  }
}
