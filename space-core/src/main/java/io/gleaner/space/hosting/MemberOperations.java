package io.gleaner.space.hosting;

import com.hazelcast.nio.serialization.IdentifiedDataSerializable;

/** The numbers by which members recognise what they send each other. */
final class MemberOperations {
  static final int FACTORY = 0x676c65;
  static final int DISPATCH = 1;
  static final int ASK_FOUNDED = 2;
  static final int NAMESPACE = 3;
  static final int ASK_NAMED = 4;

  private MemberOperations() {}

  static IdentifiedDataSerializable create(int number) {
    return switch (number) {
      case DISPATCH -> new Dispatch();
      case ASK_FOUNDED -> new AskFounded();
      case NAMESPACE -> new SpaceNamespace();
      case ASK_NAMED -> new AskNamed();
      default ->
          throw new IllegalArgumentException("a member sent something of unknown kind " + number);
    };
  }
}
