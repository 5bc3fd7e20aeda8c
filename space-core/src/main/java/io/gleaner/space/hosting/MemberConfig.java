package io.gleaner.space.hosting;

import com.hazelcast.config.Config;
import com.hazelcast.config.ConfigAccessor;
import com.hazelcast.config.ExecutorConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.ServiceConfig;
import com.hazelcast.config.SocketInterceptorConfig;
import com.hazelcast.spi.impl.executionservice.ExecutionService;
import io.gleaner.space.MemberSettings;
import io.gleaner.space.SpaceSettings;

/** What Hazelcast is told of a member. */
final class MemberConfig {
  private MemberConfig() {}

  private static final int MERGE_SECONDS = 20;

  /**
   * Settings of a member.
   *
   * @param merges whether two sides that lost each other look for each other again; where storage
   *     says which of them goes on, Hazelcast might choose the other one
   */
  static Config of(SpaceSettings settings, SpaceService service, MemberGate gate, boolean merges) {
    MemberSettings member = settings.member();
    Config config = new Config();
    config.setClusterName(member.cluster());
    config.setProperty("hazelcast.logging.type", "slf4j");
    config.setProperty("hazelcast.phone.home.enabled", "false");
    config.setProperty("hazelcast.socket.bind.any", "false");
    config.setProperty("hazelcast.shutdownhook.enabled", "false");
    config.setProperty("hazelcast.partition.count", Integer.toString(settings.partitions()));
    config.setProperty(
        "hazelcast.operation.thread.count", Integer.toString(settings.partitionThreads()));
    // Whoever sends writes, always: else, under load, a thread is woken for each message.
    config.setProperty("hazelcast.concurrency.window.ms", "0");
    config.setProperty("hazelcast.operation.fail.on.indeterminate.state", "true");
    config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
    config.setProperty(
        "hazelcast.max.no.heartbeat.seconds", Integer.toString(Cells.SILENCE_SECONDS));
    config.setProperty("hazelcast.wait.seconds.before.join", "0");
    config.setProperty(
        "hazelcast.max.join.seconds", Long.toString(Math.max(1, member.patience().toSeconds())));
    config.setProperty("hazelcast.graceful.shutdown.max.wait", "120");
    config.setProperty("hazelcast.partition.migration.chunks.enabled", "true");
    config.setProperty("hazelcast.partition.migration.chunks.max.migrating.data.in.mb", "1");
    String merge = Integer.toString(merges ? MERGE_SECONDS : Integer.MAX_VALUE);
    config.setProperty("hazelcast.merge.first.run.delay.seconds", merge);
    config.setProperty("hazelcast.merge.next.run.delay.seconds", merge);
    config.getMetricsConfig().setEnabled(false);
    config.getJetConfig().setEnabled(false);
    // Where connections begin, here and there. Its queue has no bound, so it may never be full.
    config.addExecutorConfig(
        new ExecutorConfig(ExecutionService.IO_EXECUTOR, 2 * MemberGate.MOST_AT_A_TIME));
    network(config.getNetworkConfig(), member, gate);
    config
        .getSerializationConfig()
        .addDataSerializableFactory(MemberOperations.FACTORY, MemberOperations::create);
    ConfigAccessor.getServicesConfig(config)
        .addServiceConfig(
            new ServiceConfig()
                .setEnabled(true)
                .setName(SpaceService.NAME)
                .setImplementation(service));
    return config;
  }

  private static void network(NetworkConfig network, MemberSettings member, MemberGate gate) {
    network.setPort(member.port()).setPortAutoIncrement(false).setReuseAddress(true);
    network.getInterfaces().setEnabled(true).addInterface(member.host());
    network.setSocketInterceptorConfig(
        new SocketInterceptorConfig().setEnabled(true).setImplementation(gate));
    JoinConfig join = network.getJoin();
    join.getAutoDetectionConfig().setEnabled(false);
    join.getMulticastConfig().setEnabled(false);
    join.getTcpIpConfig().setEnabled(true).setMembers(member.join());
  }
}
