package io.gleaner.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.gleaner.identity.Permissions.Action;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class PermissionsTest {
  private static final User BEA = new User("bea", Set.of(Role.SUBMITTER));
  private static final User ONE_WITHOUT_ROLE = new User("noa", Set.of());

  @Test
  void usersSeeWhatIsTheirsAndSteerItAsTheirRolesAllow() {
    assertThat(may(BEA, Action.READ, Thing.of(Thing.BAG, "bea"))).isTrue();
    assertThat(may(BEA, Action.CHANGE, Thing.of(Thing.BAG, "bea"))).isTrue();
    assertThat(may(BEA, Action.WRITE, Thing.of(Thing.BAG, "bea"))).isTrue();
    assertThat(may(BEA, Action.READ, Thing.of(Thing.BAG, "ada"))).isFalse();
    assertThat(may(BEA, Action.CHANGE, Thing.of(Thing.BAG, "ada"))).isFalse();
    assertThat(may(BEA, Action.WRITE, Thing.of(Thing.BAG, "ada"))).isFalse();
    assertThat(may(BEA, Action.READ, Thing.every(Thing.BAG))).isFalse();
    assertThat(may(BEA, Action.READ, Thing.of(Thing.LAUNCHER, "ada"))).isFalse();

    assertThat(may(ONE_WITHOUT_ROLE, Action.READ, Thing.of(Thing.BAG, "noa"))).isTrue();
    assertThat(may(ONE_WITHOUT_ROLE, Action.WRITE, Thing.of(Thing.BAG, "noa"))).isFalse();
    assertThat(may(ONE_WITHOUT_ROLE, Action.CHANGE, Thing.of(Thing.BAG, "noa"))).isFalse();
  }

  @Test
  void anAuditorReadsEverythingAndChangesNothing() {
    User auditor = new User("eve", Role.AUDITOR);
    assertThat(may(auditor, Action.READ, Thing.every(Thing.BAG))).isTrue();
    assertThat(may(auditor, Action.READ, Thing.of(Thing.LAUNCHER, "ada"))).isTrue();
    for (Action action : Set.of(Action.WRITE, Action.CHANGE, Action.TAKE)) {
      assertThat(may(auditor, action, Thing.of(Thing.BAG, "ada"))).isFalse();
      assertThat(may(auditor, action, Thing.of(Thing.BAG, "eve"))).isFalse();
    }
  }

  @Test
  void anOperatorSteersAllBagsAndPaysForTheirOwn() {
    User operator = new User("admin", Role.OPERATOR);
    assertThat(may(operator, Action.CHANGE, Thing.of(Thing.BAG, "ada"))).isTrue();
    assertThat(may(operator, Action.READ, Thing.every(Thing.LAUNCHER))).isTrue();
    assertThat(may(operator, Action.WRITE, Thing.of(Thing.BAG, "admin"))).isTrue();
    assertThat(may(operator, Action.WRITE, Thing.of(Thing.BAG, "ada"))).isFalse();
  }

  @Test
  void whatTheTableDoesNotHaveIsRefusedWithASentence() {
    assertThat(Permissions.refusal(Principal.of(BEA), Action.TAKE, Thing.every("OfferEntry")))
        .hasValue("bea (user, submitter) may not take OfferEntry; nothing allows that to it");
    assertThat(Permissions.refusal(Principal.of(BEA), Action.READ, Thing.of(Thing.BAG, "ada")))
        .hasValue("bea (user, submitter) may not read bag but with its user's name as owner");
    Principal nobody = new Principal(Set.of(), "x", "x");
    for (Action action : Action.values()) {
      assertThat(Permissions.allow(nobody, action, Thing.of(Thing.BAG, "x"))).isFalse();
    }
  }

  private static boolean may(User user, Action action, Thing what) {
    return Permissions.allow(Principal.of(user), action, what);
  }
}
