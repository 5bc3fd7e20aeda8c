/**
 * What runs inside the child JVM: reads one program, runs its tasks one after the other, and dies
 * when the launcher does. Uses nothing but the JDK and {@code io.gleaner.api}.
 */
package io.gleaner.sandbox.child;
