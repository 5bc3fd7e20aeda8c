package io.gleaner.jini;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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

  private RiverPeers() {}

  /** River's own space. */
  public static RiverPeer<JavaSpace05> startOutrigger() throws ReflectiveOperationException {
    return start(
        "com.sun.jini.outrigger.TransientOutriggerImpl",
        JavaSpace05.class,
        RiverSettings.service("com.sun.jini.outrigger", LOOPBACK));
  }

  /** River's own transaction manager. */
  public static RiverPeer<TransactionManager> startMahalo() throws ReflectiveOperationException {
    return start(
        "com.sun.jini.mahalo.TransientMahaloImpl",
        TransactionManager.class,
        RiverSettings.service("com.sun.jini.mahalo", LOOPBACK));
  }

  /** River's own lookup service; its port is in the locator of its proxy. */
  public static RiverPeer<ServiceRegistrar> startReggie() throws ReflectiveOperationException {
    return LookupService.start(LookupService.Settings.loopback()).peer();
  }

  static <T> RiverPeer<T> start(String name, Class<T> type, RiverSettings settings)
      throws ReflectiveOperationException {
    Class<?> service = Class.forName(name);
    Class<?> lifeCycle = Class.forName("com.sun.jini.start.LifeCycle");
    Constructor<?> constructor = service.getDeclaredConstructor(String[].class, lifeCycle);
    constructor.setAccessible(true);
    try {
      Object started = constructor.newInstance(settings.lines(), null);
      Method proxy = service.getMethod("getServiceProxy");
      proxy.setAccessible(true);
      return new RiverPeer<>(type.cast(proxy.invoke(started)));
    } catch (InvocationTargetException e) {
      throw new ReflectiveOperationException(
          name + " did not start: " + e.getCause(), e.getCause());
    }
  }
}
