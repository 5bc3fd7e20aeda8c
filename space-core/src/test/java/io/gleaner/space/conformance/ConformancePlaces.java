package io.gleaner.space.conformance;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;

/** Runs a test of the specification in every place and knows where it deviates. */
final class ConformancePlaces implements TestTemplateInvocationContextProvider {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(ConformancePlaces.class);

  @Override
  public boolean supportsTestTemplate(ExtensionContext context) {
    return true;
  }

  @Override
  public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(
      ExtensionContext context) {
    return Arrays.stream(Place.values()).map(In::new);
  }

  /** One test in one place. */
  private record In(Place place)
      implements TestTemplateInvocationContext,
          ParameterResolver,
          AfterEachCallback,
          InvocationInterceptor {

    @Override
    public String getDisplayName(int index) {
      return place.name().toLowerCase(Locale.ROOT);
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
      return List.of(this);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == SpaceUnderTest.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      Places places =
          context
              .getRoot()
              .getStore(NAMESPACE)
              .getOrComputeIfAbsent(Places.class, key -> new Places(), Places.class);
      SpaceUnderTest space = places.open(place);
      context.getStore(NAMESPACE).put(SpaceUnderTest.class, space);
      return space;
    }

    @Override
    public void afterEach(ExtensionContext context) {
      SpaceUnderTest space =
          context.getStore(NAMESPACE).remove(SpaceUnderTest.class, SpaceUnderTest.class);
      if (space != null) {
        space.close();
      }
    }

    @Override
    public void interceptTestTemplateMethod(
        Invocation<Void> invocation,
        ReflectiveInvocationContext<Method> method,
        ExtensionContext context)
        throws Throwable {
      Optional<Deviates> deviation =
          Arrays.stream(method.getExecutable().getAnnotationsByType(Deviates.class))
              .filter(each -> each.place() == place)
              .findFirst();
      if (deviation.isEmpty()) {
        invocation.proceed();
        return;
      }
      try {
        invocation.proceed();
      } catch (Throwable expected) {
        Assumptions.abort(
            place + " deviates: " + deviation.get().because() + " [" + expected + "]");
      }
      if (deviation.get().always()) {
        throw new AssertionError(
            place + " does not deviate any more; delete: " + deviation.get().because());
      }
    }
  }
}
