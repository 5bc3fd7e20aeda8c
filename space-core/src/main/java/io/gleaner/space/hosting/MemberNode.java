package io.gleaner.space.hosting;

import com.hazelcast.instance.EndpointQualifier;
import com.hazelcast.instance.impl.DefaultNodeContext;
import com.hazelcast.instance.impl.DefaultNodeExtension;
import com.hazelcast.instance.impl.Node;
import com.hazelcast.instance.impl.NodeExtension;
import com.hazelcast.nio.MemberSocketInterceptor;

/** A Hazelcast node whose connections begin with the proof of the shared secret. */
final class MemberNode extends DefaultNodeContext {
  private final SharedSecret secret;

  MemberNode(SharedSecret secret) {
    this.secret = secret;
  }

  @Override
  public NodeExtension createNodeExtension(Node node) {
    return new DefaultNodeExtension(node) {
      @Override
      public MemberSocketInterceptor getSocketInterceptor(EndpointQualifier endpoint) {
        return secret;
      }
    };
  }
}
