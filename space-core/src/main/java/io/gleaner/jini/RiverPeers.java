package io.gleaner.jini;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import net.jini.core.lookup.ServiceRegistrar;
import net.jini.core.transaction.server.TransactionManager;
import net.jini.space.JavaSpace05;

/**
 * Starts River's transient services in this JVM: on loopback, with free ports, without multicast,
 * joined to no lookup service. They must be on the class path, and the stand-ins for RMI activation
 * on the boot class path (CONTRIBUTING.md).
 */
public final class RiverPeers {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String EXPORTER =
      "new net.jini.jeri.BasicJeriExporter(net.jini.jeri.tcp.TcpServerEndpoint.getInstance("
          + "\"%1$s\", 0, null, new io.gleaner.jini.BoundServerSockets(\"%1$s\")),"
          + " new net.jini.jeri.BasicILFactory())";

  private RiverPeers() {}

  /** River's own space. */
  public static RiverPeer<JavaSpace05> startOutrigger() throws ReflectiveOperationException {
    return start(
        "com.sun.jini.outrigger.TransientOutriggerImpl",
        JavaSpace05.class,
        joining("com.sun.jini.outrigger"));
  }

  /** River's own transaction manager. */
  public static RiverPeer<TransactionManager> startMahalo() throws ReflectiveOperationException {
    return start(
        "com.sun.jini.mahalo.TransientMahaloImpl",
        TransactionManager.class,
        joining("com.sun.jini.mahalo"));
  }

  /** River's own lookup service; its port is in the locator of its proxy. */
  public static RiverPeer<ServiceRegistrar> startReggie() throws ReflectiveOperationException {
    String component = "com.sun.jini.reggie";
    List<String> settings = joining(component);
    settings.add(component + ".initialMemberGroups = new String[] {}");
    settings.add(component + ".unicastDiscoveryHost = \"" + LOOPBACK + "\"");
    settings.add(component + ".multicastInterfaces = new java.net.NetworkInterface[] {}");
    settings.add(
        component
            + ".serverSocketFactory = new io.gleaner.jini.BoundServerSockets(\""
            + LOOPBACK
            + "\")");
    return start("com.sun.jini.reggie.TransientRegistrarImpl", ServiceRegistrar.class, settings);
  }

  private static List<String> joining(String component) {
    List<String> settings = new ArrayList<>();
    settings.add("-");
    settings.add(component + ".serverExporter = " + EXPORTER.formatted(LOOPBACK));
    settings.add(component + ".initialLookupGroups = new String[] {}");
    settings.add(
        component + ".initialLookupLocators = new net.jini.core.discovery.LookupLocator[] {}");
    settings.add(
        "net.jini.discovery.LookupDiscovery.multicastInterfaces ="
            + " new java.net.NetworkInterface[] {}");
    return settings;
  }

  private static <T> RiverPeer<T> start(String name, Class<T> type, List<String> settings)
      throws ReflectiveOperationException {
    Class<?> service = Class.forName(name);
    Class<?> lifeCycle = Class.forName("com.sun.jini.start.LifeCycle");
    Constructor<?> constructor = service.getDeclaredConstructor(String[].class, lifeCycle);
    constructor.setAccessible(true);
    try {
      Object started = constructor.newInstance(settings.toArray(String[]::new), null);
      Method proxy = service.getMethod("getServiceProxy");
      proxy.setAccessible(true);
      return new RiverPeer<>(type.cast(proxy.invoke(started)));
    } catch (InvocationTargetException e) {
      throw new ReflectiveOperationException(
          name + " did not start: " + e.getCause(), e.getCause());
    }
  }
}
