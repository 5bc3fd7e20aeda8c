package io.gleaner.idle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Bytes that an ordinary user may still write on the disk of a folder. */
final class DiskSensor implements Sensor<Long> {
  private final Path folder;

  DiskSensor(Path folder) {
    this.folder = folder;
  }

  @Override
  public Reading<Long> read() {
    try {
      return Reading.known(Files.getFileStore(folder).getUsableSpace());
    } catch (IOException e) {
      return Reading.unknown("the free space of " + folder + " cannot be read: " + e);
    }
  }
}
