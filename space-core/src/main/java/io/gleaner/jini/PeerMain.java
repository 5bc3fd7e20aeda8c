package io.gleaner.jini;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Outrigger and Mahalo in a JVM of their own: prints their proxies, one line each, and ends when
 * its standard input does.
 */
final class PeerMain {
  private static final Logger RIVER = Logger.getLogger("com.sun.jini");

  private PeerMain() {}

  @SuppressWarnings("SystemOut") // the parent process reads it
  public static void main(String[] args) throws Exception {
    RIVER.setLevel(Level.WARNING);
    System.out.println(Marshalled.write(RiverPeers.startOutrigger().proxy()));
    System.out.println(Marshalled.write(RiverPeers.startMahalo().proxy()));
    while (System.in.read() >= 0) {
      // The parent says nothing until it is gone.
    }
    System.exit(0);
  }
}
