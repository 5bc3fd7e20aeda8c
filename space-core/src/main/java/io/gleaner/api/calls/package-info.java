/**
 * How a call travels: its object and classes to a launcher's child, its result back. What runs in
 * the child uses nothing but the JDK.
 */
package io.gleaner.api.calls;
