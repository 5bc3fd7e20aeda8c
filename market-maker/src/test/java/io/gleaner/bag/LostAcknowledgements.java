package io.gleaner.bag;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** A database that commits now and then without saying so, as one whose network breaks. */
final class LostAcknowledgements {
  private final AtomicBoolean losesNext = new AtomicBoolean();

  void losesTheNext() {
    losesNext.set(true);
  }

  DataSource over(DataSource real) {
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Object answer = call(real, method, arguments);
          return answer instanceof Connection connection ? over(connection) : answer;
        });
  }

  private Connection over(Connection real) {
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object answer = call(real, method, arguments);
          if (method.getName().equals("commit") && losesNext.compareAndSet(true, false)) {
            throw new SQLException("the connection broke after the commit");
          }
          return answer;
        });
  }

  private interface Call {
    Object answer(Method method, Object[] arguments) throws Throwable;
  }

  private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private static <T> T proxy(Class<T> type, Call call) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call.answer(method, arguments)));
  }
}
