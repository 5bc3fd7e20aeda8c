package io.gleaner.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Set;
import net.jini.core.entry.Entry;
import net.jini.space.JavaSpace;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs whose entry classes lie in several class loaders, as those with plug-ins do. */
@Timeout(120)
class ProgramClassesTest {
  private static final ClassLoader OURS = ProgramClassesTest.class.getClassLoader();

  private final ClassLoader before = Thread.currentThread().getContextClassLoader();

  /** A class that only a plug-in's loader defines, in the sense that matters here. */
  public static class Plugged extends Note {
    public Plugged() {}

    /** With a key that its template may have. */
    public Plugged(String key, Integer number) {
      super(key, number);
    }
  }

  /** A loader that hides a class from its parent's view by defining it itself. */
  private static final class Plugin extends URLClassLoader {
    private final Set<String> own;

    Plugin(Class<?>... own) {
      super(new URL[] {own[0].getProtectionDomain().getCodeSource().getLocation()}, OURS);
      this.own = Set.of(own[0].getName());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      synchronized (getClassLoadingLock(name)) {
        Class<?> found = findLoadedClass(name);
        return found == null && own.contains(name)
            ? findClass(name)
            : super.loadClass(name, resolve);
      }
    }
  }

  @AfterEach
  void theContextIsAsBefore() {
    Thread.currentThread().setContextClassLoader(before);
  }

  @Test
  void oneLoaderIsItself() {
    Thread.currentThread().setContextClassLoader(OURS);
    assertThat(ProgramClasses.of(List.of(OURS))).isSameAs(OURS);
    assertThat(ProgramClasses.of(List.of())).isSameAs(OURS);
  }

  @Test
  void aLoaderBelowTheOthersIsEnough() throws IOException {
    try (Plugin plugin = new Plugin(Plugged.class)) {
      Thread.currentThread().setContextClassLoader(plugin);
      assertThat(ProgramClasses.of(List.of(OURS))).isSameAs(plugin);
    }
  }

  @Test
  void twoPluginsAreBothLookedAtTheFirstOneFirst() throws Exception {
    Thread.currentThread().setContextClassLoader(OURS);
    try (Plugin one = new Plugin(Plugged.class);
        Plugin other = new Plugin(Other.class)) {
      ClassLoader both = ProgramClasses.of(List.of(one, other));
      assertThat(both.loadClass(Plugged.class.getName()).getClassLoader()).isSameAs(one);
      assertThat(both.loadClass(Note.class.getName())).isSameAs(Note.class);
      assertThatThrownBy(() -> both.loadClass("no.such.Thing"))
          .isInstanceOf(ClassNotFoundException.class);
    }
  }

  /** Something else that is plugged in. */
  public static class Other implements Entry {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void aTemplateOfASharedSuperclassFindsEntriesOfThePlugin() throws Exception {
    try (HazelcastSpace engine = HazelcastSpace.start(SpaceSettings.defaults());
        Plugin plugin = new Plugin(Plugged.class)) {
      TupleSpace space = SpaceClient.open(engine, "plugins", "test");
      Entry plugged =
          (Entry)
              plugin
                  .loadClass(Plugged.class.getName())
                  .getConstructor(String.class, Integer.class)
                  .newInstance("a", 1);
      assertThat(plugged.getClass()).isNotSameAs(Plugged.class);
      space.write(plugged, null, 60_000);
      Thread.currentThread().setContextClassLoader(plugin);
      Entry taken = space.take(new Note("a", null), null, JavaSpace.NO_WAIT);
      assertThat(taken.getClass()).isSameAs(plugged.getClass());
    }
  }
}
