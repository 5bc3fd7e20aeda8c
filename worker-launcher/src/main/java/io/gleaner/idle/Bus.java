package io.gleaner.idle;

import java.io.IOException;
import java.util.Optional;
import org.freedesktop.dbus.connections.impl.DBusConnection;
import org.freedesktop.dbus.connections.impl.DBusConnectionBuilder;
import org.freedesktop.dbus.errors.ServiceUnknown;
import org.freedesktop.dbus.errors.UnknownInterface;
import org.freedesktop.dbus.errors.UnknownMethod;
import org.freedesktop.dbus.errors.UnknownObject;
import org.freedesktop.dbus.errors.UnknownProperty;
import org.freedesktop.dbus.exceptions.DBusException;
import org.freedesktop.dbus.exceptions.DBusExecutionException;
import org.freedesktop.dbus.interfaces.DBusInterface;
import org.freedesktop.dbus.interfaces.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A D-Bus, connected when it is first asked, and anew after it broke. One thread asks. */
final class Bus implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Bus.class);

  private final Optional<String> address;
  private Optional<DBusConnection> connection = Optional.empty();

  /** A bus at that address, or none at all. */
  Bus(Optional<String> address) {
    this.address = address;
  }

  /** One question to one of its objects. */
  @FunctionalInterface
  interface Question<O, T> {
    T ask(O object);
  }

  /** A property of an object; absent if nobody on the bus has it. */
  <T> Reading<T> property(String service, String path, String owner, String name, Class<T> type) {
    Reading<Object> read =
        ask(service, path, Properties.class, object -> object.<Object>Get(owner, name));
    if (read instanceof Reading.Known<Object> known) {
      return type.isInstance(known.value())
          ? Reading.known(type.cast(known.value()))
          : Reading.unknown(service + " says '" + known.value() + "' for " + name);
    }
    return read instanceof Reading.Absent<Object> absent
        ? Reading.absent(absent.why())
        : Reading.unknown(((Reading.Unknown<Object>) read).why());
  }

  /** What the object answers; absent if there is none, unknown if it fails. */
  <O extends DBusInterface, T> Reading<T> ask(
      String service, String path, Class<O> type, Question<O, T> question) {
    if (address.isEmpty()) {
      return Reading.absent("there is no bus on which " + service + " could be");
    }
    try {
      return Reading.known(question.ask(open().getRemoteObject(service, path, type)));
    } catch (ServiceUnknown
        | UnknownObject
        | UnknownMethod
        | UnknownInterface
        | UnknownProperty e) {
      return Reading.absent(service + " is not there");
    } catch (DBusException | DBusExecutionException e) {
      close();
      return Reading.unknown(service + " does not answer: " + e.getMessage());
    }
  }

  private DBusConnection open() throws DBusException {
    if (connection.isEmpty() || !connection.get().isConnected()) {
      close();
      connection =
          Optional.of(
              DBusConnectionBuilder.forAddress(address.orElseThrow()).withShared(false).build());
    }
    return connection.get();
  }

  @Override
  public void close() {
    try {
      if (connection.isPresent()) {
        connection.get().close();
      }
    } catch (IOException e) {
      LOG.debug("closing {}", address, e);
    } finally {
      connection = Optional.empty();
    }
  }
}
