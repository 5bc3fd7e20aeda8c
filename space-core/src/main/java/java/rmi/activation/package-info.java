/**
 * Empty stand-ins for the classes of RMI activation that Java 17 dropped and that River's JERI
 * still names. They are no part of the jar: a JVM finds them by {@code
 * -Xbootclasspath/a:space-core/target/activation}, which the start script and the tests say.
 */
package java.rmi.activation;
