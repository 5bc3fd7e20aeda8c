package io.gleaner.api.calls;

import io.gleaner.api.GleanerException;
import io.gleaner.api.GleanerException.Code;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * A call as bytes.
 *
 * @param bytes the object, Java-serialised; shared, must not be changed
 * @param classes those of the objects in it
 * @param resultPackage where its declared result type lies, if it declares one
 */
public record SerialisedCall(byte[] bytes, Set<Class<?>> classes, Optional<String> resultPackage) {

  /**
   * Serialises a callable.
   *
   * @throws GleanerException NOT_SERIALISABLE with the class that cannot be, or TOO_LARGE
   */
  public static SerialisedCall of(Callable<?> call, long mostBytes) {
    Set<Class<?>> classes = new LinkedHashSet<>();
    byte[] bytes;
    try {
      bytes = write(call, classes);
    } catch (NotSerializableException e) {
      String guilty = e.getMessage();
      boolean itself = guilty != null && guilty.equals(call.getClass().getName());
      throw new GleanerException(
          Code.NOT_SERIALISABLE,
          itself
              ? "the call "
                  + guilty
                  + " is not Serializable; pass a lambda where a MarketExecutor is declared, or let"
                  + " its class implement io.gleaner.api.ComputationalTask"
              : "the call "
                  + call.getClass().getName()
                  + " holds a "
                  + guilty
                  + ", which is not Serializable; make it so, or make the field transient",
          e);
    } catch (IOException e) {
      throw new GleanerException(
          Code.NOT_SERIALISABLE,
          "the call " + call.getClass().getName() + " cannot be serialised: " + e.getMessage(),
          e);
    }
    if (bytes.length > mostBytes) {
      throw new GleanerException(
          Code.TOO_LARGE,
          "the call "
              + call.getClass().getName()
              + " has "
              + bytes.length
              + " bytes, at most "
              + mostBytes
              + " are allowed; let it hold less, or give a bag of tasks the data as files");
    }
    return new SerialisedCall(bytes, classes, resultPackage(call));
  }

  /** Serialises an object and tells which classes its objects have. */
  static byte[] write(Object object, Set<Class<?>> classes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new Noting(bytes, classes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static final class Noting extends ObjectOutputStream {
    private final Set<Class<?>> classes;

    Noting(OutputStream out, Set<Class<?>> classes) throws IOException {
      super(out);
      this.classes = classes;
    }

    @Override
    protected void annotateClass(Class<?> type) {
      classes.add(type);
    }
  }

  private static Optional<String> resultPackage(Callable<?> call) {
    return Arrays.stream(call.getClass().getMethods())
        .filter(m -> m.getName().equals("call") && m.getParameterCount() == 0 && !m.isBridge())
        .map(Method::getReturnType)
        .filter(type -> type != Object.class)
        .map(Class::getPackageName)
        .findFirst()
        .or(() -> resultPackageOfLambda(call));
  }

  /** The method that a lambda became still has the type that the lambda lost. */
  private static Optional<String> resultPackageOfLambda(Callable<?> call) {
    try {
      Method replacing = call.getClass().getDeclaredMethod("writeReplace");
      replacing.setAccessible(true);
      if (replacing.invoke(call) instanceof SerializedLambda lambda) {
        String signature = lambda.getImplMethodSignature();
        String type =
            lambda.getImplMethodName().equals("<init>")
                ? lambda.getImplClass()
                : signature.substring(signature.lastIndexOf(')') + 1).replaceAll("^\\[*L|;$", "");
        int slash = type.lastIndexOf('/');
        return slash < 0
            ? Optional.empty()
            : Optional.of(type.substring(0, slash).replace('/', '.'));
      }
      return Optional.empty();
    } catch (ReflectiveOperationException | RuntimeException e) {
      return Optional.empty(); // no lambda, or one that does not show itself
    }
  }
}
