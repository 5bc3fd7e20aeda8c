package io.gleaner.tuple;

/** How a task runs (D11). */
public enum TaskKind {
  /** A class of a signed bundle, in a child JVM. */
  JAVA,
  /** A WebAssembly module. */
  WASM,
  /** A native program. */
  COMMAND
}
