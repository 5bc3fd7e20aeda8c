package io.gleaner.space.conformance;

import static io.gleaner.space.conformance.SpaceUnderTest.await;
import static net.jini.core.lease.Lease.FOREVER;
import static net.jini.space.JavaSpace.NO_WAIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gleaner.space.Note;
import io.gleaner.space.UrgentNote;
import java.rmi.MarshalledObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import net.jini.core.entry.Entry;
import net.jini.core.event.EventRegistration;
import net.jini.core.event.RemoteEvent;
import net.jini.core.event.UnknownEventException;
import net.jini.core.lease.Lease;
import net.jini.core.lease.UnknownLeaseException;
import net.jini.core.transaction.Transaction;
import net.jini.space.AvailabilityEvent;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.Timeout;

/** JavaSpaces specification, JS.2.7 notify, JS.2.14 registerForAvailabilityEvent; EV.2. */
@Timeout(120)
class EventsTest {
  private static final long MINUTE = 60_000;

  private final List<RemoteEvent> events = new CopyOnWriteArrayList<>();

  /** Gaps are allowed, which Outrigger uses to tell of several writes at once. */
  @Conformance
  void js2_7_matchingWritesAreToldUnderGrowingNumbers(SpaceUnderTest at) throws Exception {
    EventRegistration registration = listen(at, new Note("a", null), null);
    at.space.write(new Note("b", 0), null, FOREVER);
    for (int i = 0; i < 5; i++) {
      at.space.write(new UrgentNote("a", i, "x"), null, FOREVER);
    }
    long last = registration.getSequenceNumber() + 5;
    await().until(() -> events.stream().anyMatch(each -> each.getSequenceNumber() == last));
    assertThat(events.stream().map(RemoteEvent::getSequenceNumber)).doesNotHaveDuplicates();
    assertThat(events)
        .allMatch(each -> each.getSequenceNumber() > registration.getSequenceNumber())
        .allMatch(each -> each.getID() == registration.getID());
  }

  @Conformance
  void js2_7_anEventNamesTheSpaceAndHandsBackWhatWasHandedOver(SpaceUnderTest at) throws Exception {
    MarshalledObject<String> handback = new MarshalledObject<>("mine");
    EventRegistration registration =
        at.space.notify(null, null, at.listener(events::add), MINUTE, handback);
    at.space.write(new Note("a", 0), null, FOREVER);
    awaitEvents(1);
    assertThat(registration.getSource()).isInstanceOf(JavaSpace.class);
    assertThat(events.get(0).getSource()).isEqualTo(registration.getSource());
    assertThat(events.get(0).getRegistrationObject()).isEqualTo(handback);
  }

  @Conformance
  void js2_7_withoutAHandbackNothingIsHandedBack(SpaceUnderTest at) throws Exception {
    listen(at, null, null);
    at.space.write(new Note("a", 0), null, FOREVER);
    awaitEvents(1);
    assertThat(events.get(0).getRegistrationObject()).isNull();
  }

  @Conformance
  void js2_7_registrationsWithOtherTemplatesHaveOtherNumbers(SpaceUnderTest at) throws Exception {
    EventRegistration first = listen(at, new Note("a", null), null);
    EventRegistration second = listen(at, new Note("b", null), null);
    assertThat(first.getID()).isNotEqualTo(second.getID());
  }

  @Conformance
  void js2_7_aCancelledRegistrationHearsNothingMore(SpaceUnderTest at) throws Exception {
    EventRegistration registration = listen(at, new Note("a", null), null);
    at.space.write(new Note("a", 1), null, FOREVER);
    awaitEvents(1);
    registration.getLease().cancel();
    at.space.write(new Note("a", 2), null, FOREVER);
    assertThatThrownBy(() -> registration.getLease().renew(MINUTE))
        .isInstanceOf(UnknownLeaseException.class);
    marker(at);
    assertThat(events).hasSize(2);
  }

  @Conformance
  void js2_7_aRegistrationEndsWithItsLease(SpaceUnderTest at) throws Exception {
    EventRegistration registration =
        at.space.notify(new Note("a", null), null, at.listener(events::add), 300, null);
    await().pollDelay(Duration.ofSeconds(1)).until(() -> isOver(registration.getLease()));
    at.space.write(new Note("a", 2), null, FOREVER);
    marker(at);
    assertThat(events).hasSize(1);
  }

  @Conformance
  void js2_7_aNegativeLeaseThatIsNotAnyIsRefused(SpaceUnderTest at) {
    assertThatThrownBy(() -> at.space.notify(null, null, at.listener(events::add), -2, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Conformance
  void js2_7_aLeaseOfNothingIsGrantedAndIsOver(SpaceUnderTest at) throws Exception {
    at.space.write(new UrgentNote("a", 0, "x"), null, FOREVER);
    Transaction transaction = at.begin();
    for (Transaction under : new Transaction[] {null, transaction}) {
      for (Entry template : new Entry[] {new Note("a", 1), new Note(), null}) {
        EventRegistration registration =
            at.space.notify(template, under, at.listener(events::add), 0, null);
        assertThat(registration.getLease().getExpiration())
            .isLessThanOrEqualTo(System.currentTimeMillis());
        await().until(() -> isOver(registration.getLease()));
      }
    }
    transaction.commit(MINUTE);
    at.space.write(new Note("a", 1), null, FOREVER);
    marker(at);
    assertThat(events).as("only the marker").hasSize(1);
  }

  @Conformance
  void js2_7_anyGrantsALease(SpaceUnderTest at) throws Exception {
    EventRegistration registration =
        at.space.notify(null, null, at.listener(events::add), Lease.ANY, null);
    assertThat(registration.getLease().getExpiration())
        .isGreaterThan(System.currentTimeMillis() - 1_000);
  }

  @Conformance
  void js2_7_whatATransactionWritesIsToldWhenItCommits(SpaceUnderTest at) throws Exception {
    listen(at, new Note("a", null), null);
    Transaction transaction = at.begin();
    at.space.write(new Note("a", 1), transaction, FOREVER);
    marker(at);
    assertThat(events).as("only the marker").hasSize(1);
    transaction.commit(MINUTE);
    awaitEvents(2);
  }

  @Conformance
  void js3_1_whatATransactionWroteAndTookIsNeverTold(SpaceUnderTest at) throws Exception {
    listen(at, new Note("a", null), null);
    Transaction transaction = at.begin();
    at.space.write(new Note("a", 1), transaction, FOREVER);
    assertThat(at.space.take(new Note("a", 1), transaction, NO_WAIT)).isNotNull();
    transaction.commit(MINUTE);
    marker(at);
    assertThat(events).as("only the marker").hasSize(1);
  }

  @Conformance
  void js3_1_whatAnAbortedTransactionWroteIsNeverTold(SpaceUnderTest at) throws Exception {
    listen(at, new Note("a", null), null);
    Transaction transaction = at.begin();
    at.space.write(new Note("a", 1), transaction, FOREVER);
    transaction.abort(MINUTE);
    marker(at);
    assertThat(events).as("only the marker").hasSize(1);
  }

  @Conformance
  void js3_1_aRegistrationUnderATransactionHearsItsWritesAndThoseOfAll(SpaceUnderTest at)
      throws Exception {
    Transaction transaction = at.begin();
    listen(at, new Note("a", null), transaction);
    at.space.write(new Note("a", 1), transaction, FOREVER);
    awaitEvents(1);
    at.space.write(new Note("a", 2), null, FOREVER);
    awaitEvents(2);
    Transaction other = at.begin();
    at.space.write(new Note("a", 3), other, FOREVER);
    other.commit(MINUTE);
    awaitEvents(3);
  }

  @Conformance
  void js3_1_aRegistrationUnderATransactionEndsWithIt(SpaceUnderTest at) throws Exception {
    Transaction transaction = at.begin();
    EventRegistration registration = listen(at, new Note("a", null), transaction);
    transaction.commit(MINUTE);
    await().until(() -> isOver(registration.getLease()));
    at.space.write(new Note("a", 1), null, FOREVER);
    marker(at);
    assertThat(events).as("only the marker").hasSize(1);
  }

  @Conformance
  void ev2_2_aListenerThatDoesNotKnowTheEventIsNotCalledAgain(SpaceUnderTest at) throws Exception {
    at.space.notify(
        new Note("a", null),
        null,
        at.listener(
            event -> {
              events.add(event);
              throw new UnknownEventException("not mine");
            }),
        MINUTE,
        null);
    at.space.write(new Note("a", 1), null, FOREVER);
    awaitEvents(1);
    marker(at);
    at.space.write(new Note("a", 2), null, FOREVER);
    marker(at);
    assertThat(events).as("one and two markers").hasSize(3);
  }

  // JS.2.14 and the documentation of JavaSpace05.registerForAvailabilityEvent

  @Conformance
  void js2_14_anAvailabilityEventHasTheEntryAndASnapshotOfIt(SpaceUnderTest at) throws Exception {
    watch(at, false, new Note("a", null), new Note(null, 1));
    at.space.write(new Note("a", 1), null, FOREVER);
    marker(at);
    awaitEvents(2);
    assertThat(events).as("one event though two templates match").hasSize(2);
    AvailabilityEvent event = availability(0);
    assertThat(event.isVisibilityTransition()).isTrue();
    assertThat(((Note) event.getEntry()).number).isEqualTo(1);
    Entry snapshot = event.getSnapshot();
    assertThat(at.space.take(snapshot, null, NO_WAIT)).isInstanceOf(Note.class);
  }

  @Conformance
  void js2_14_anEntryThatComesBackBecomesVisible(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    watch(at, true, new Note("a", null));
    Transaction transaction = at.begin();
    assertThat(at.space.take(new Note("a", 1), transaction, NO_WAIT)).isNotNull();
    transaction.abort(MINUTE);
    awaitEvents(1);
    assertThat(availability(0).isVisibilityTransition()).isTrue();
  }

  @Conformance
  void js2_14_anEntryThatWasReadAndTakenByATransactionComesBackOnce(SpaceUnderTest at)
      throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    watch(at, false, new Note("a", null));
    Transaction transaction = at.begin();
    assertThat(at.space.read(new Note("a", 1), transaction, NO_WAIT)).isNotNull();
    assertThat(at.space.take(new Note("a", 1), transaction, NO_WAIT)).isNotNull();
    transaction.abort(MINUTE);
    awaitEvents(1);
    marker(at);
    awaitEvents(2);
    assertThat(events).as("one and the marker").hasSize(2);
    assertThat(availability(0).isVisibilityTransition()).isTrue();
  }

  @Conformance
  void js2_14_anEntryWhoseReadLockGoesBecomesAvailableButWasVisible(SpaceUnderTest at)
      throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    watch(at, false, new Note("a", null));
    Transaction transaction = at.begin();
    assertThat(at.space.read(new Note("a", 1), transaction, NO_WAIT)).isNotNull();
    transaction.commit(MINUTE);
    awaitEvents(1);
    assertThat(availability(0).isVisibilityTransition()).isFalse();
  }

  @Conformance
  void js2_14_visibilityOnlyLeavesOutReadLocksThatGo(SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    watch(at, true, new Note("a", null));
    Transaction transaction = at.begin();
    assertThat(at.space.read(new Note("a", 1), transaction, NO_WAIT)).isNotNull();
    transaction.commit(MINUTE);
    marker(at);
    assertThat(events).as("only the marker").hasSize(1);
  }

  @Conformance
  void js2_14_aRegistrationUnderATransactionSeesItsOwnWritesAndEndsWithIt(SpaceUnderTest at)
      throws Exception {
    Transaction transaction = at.begin();
    EventRegistration registration =
        at.space.registerForAvailabilityEvent(
            List.of(new Note("a", null)),
            transaction,
            false,
            at.listener(events::add),
            MINUTE,
            null);
    at.space.write(new Note("a", 1), transaction, FOREVER);
    awaitEvents(1);
    transaction.commit(MINUTE);
    await().until(() -> isOver(registration.getLease()));
  }

  @Conformance
  void js2_14_anEntryThatOnlyTheRegistrationsTransactionStillReadsBecomesAvailableToIt(
      SpaceUnderTest at) throws Exception {
    at.space.write(new Note("a", 1), null, FOREVER);
    Transaction mine = at.begin();
    Transaction other = at.begin();
    at.space.registerForAvailabilityEvent(
        List.of(new Note("a", null)), mine, false, at.listener(events::add), MINUTE, null);
    assertThat(at.space.read(new Note("a", 1), mine, NO_WAIT)).isNotNull();
    assertThat(at.space.read(new Note("a", 1), other, NO_WAIT)).isNotNull();
    other.commit(MINUTE);
    awaitEvents(1);
    assertThat(availability(0).isVisibilityTransition()).isFalse();
    mine.abort(MINUTE);
  }

  @Conformance
  void js2_14_nullTemplatesMatchEverything(SpaceUnderTest at) throws Exception {
    watch(at, false, new Entry[] {null});
    at.space.write(new Note("a", 1), null, FOREVER);
    awaitEvents(1);
    assertThat(availability(0).getEntry()).isInstanceOf(Note.class);
  }

  @Conformance
  void js2_14_argumentsThatMakeNoSenseAreRefused(SpaceUnderTest at) {
    for (long lease : new long[] {0, -2}) {
      assertThatThrownBy(
              () ->
                  at.space.registerForAvailabilityEvent(
                      List.of(new Note()), null, false, at.listener(events::add), lease, null))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(
            () ->
                at.space.registerForAvailabilityEvent(
                    List.of(), null, false, at.listener(events::add), MINUTE, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                at.space.registerForAvailabilityEvent(
                    List.of("no entry"), null, false, at.listener(events::add), MINUTE, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                at.space.registerForAvailabilityEvent(
                    List.of(new Note()), null, false, null, MINUTE, null))
        .isInstanceOf(NullPointerException.class);
    assertThatThrownBy(
            () ->
                at.space.registerForAvailabilityEvent(
                    null, null, false, at.listener(events::add), MINUTE, null))
        .isInstanceOf(NullPointerException.class);
  }

  private EventRegistration listen(SpaceUnderTest at, Entry template, Transaction transaction)
      throws Exception {
    return at.space.notify(template, transaction, at.listener(events::add), MINUTE, null);
  }

  private void watch(SpaceUnderTest at, boolean visibilityOnly, Entry... templates)
      throws Exception {
    at.space.registerForAvailabilityEvent(
        Arrays.asList(templates), null, visibilityOnly, at.listener(events::add), MINUTE, null);
  }

  /** Another registration hears of a write: what was to be told before has been. */
  private void marker(SpaceUnderTest at) throws Exception {
    List<RemoteEvent> heard = new CopyOnWriteArrayList<>();
    EventRegistration registration =
        at.space.notify(
            new Note("marker", null),
            null,
            at.listener(
                event -> {
                  heard.add(event);
                  events.add(event);
                }),
            MINUTE,
            null);
    at.space.write(new Note("marker", 0), null, 1_000);
    await().until(() -> !heard.isEmpty());
    registration.getLease().cancel();
  }

  private void awaitEvents(int count) {
    await().until(() -> events.size() >= count);
    assertThat(events).hasSize(count);
  }

  private AvailabilityEvent availability(int index) {
    return events.stream()
        .filter(AvailabilityEvent.class::isInstance)
        .map(AvailabilityEvent.class::cast)
        .skip(index)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isOver(Lease lease) throws Exception {
    try {
      lease.renew(100);
      return false;
    } catch (UnknownLeaseException e) {
      return true;
    }
  }
}
