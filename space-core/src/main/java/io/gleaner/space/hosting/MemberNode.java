package io.gleaner.space.hosting;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.nio.MemberSocketInterceptor;

/**
 * A Hazelcast node whose connections begin with the proof that both ends are members. Of itself the
 * Community edition hears of a socket interceptor in its settings, warns, and uses none
 * (DefaultNodeExtension of 5.7.0).
 */
final class MemberNode extends DefaultNodeContext {
  private final MemberGate gate;

  MemberNode(MemberGate gate) {
    this.gate = gate;
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new DefaultNodeExtension(node) {
      @Override
      public MemberSocketInterceptor getSocketInterceptor(EndpointQualifier endpoint) {
        return gate;
      }
    };
  }
}
