package io.gleaner.jini;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Base64;
import net.jini.io.MarshalledInstance;

/** Proxies as text, between a process and its child. No code is ever downloaded for them. */
final class Marshalled {
  private Marshalled() {}

  static String write(Object proxy) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(new MarshalledInstance(proxy));
    }
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  static Object read(String text) throws IOException {
    byte[] bytes = Base64.getDecoder().decode(text);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return ((MarshalledInstance) in.readObject()).get(false);
    } catch (ClassNotFoundException e) {
      throw new IOException("a proxy is of a class that is not on the class path", e);
    }
  }
}
