package io.gleaner.matching;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Entries of this class have values in the canonical encoding only: nothing that is only {@code
 * Serializable} is written, and nothing is ever deserialised that comes in one. For entries that
 * programs read which others attack, as the market's.
 */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface CanonicalOnly {}
