package io.gleaner.pages;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Tests that have a new console each, started before what they set up and closed after it. */
public abstract class WithConsole {
  @TempDir protected Path folder;
  protected TestConsole console;

  @BeforeEach
  final void startsConsole() {
    console = TestConsole.start(folder);
  }

  @AfterEach
  final void closesConsole() {
    console.close();
  }
}
