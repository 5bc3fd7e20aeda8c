package io.gleaner.space.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The test is known to fail there; it is reported as skipped, and fails if it ever passes. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Repeatable(Deviates.All.class)
@interface Deviates {
  Place place();

  /** Why, in a sentence. */
  String because();

  /** Whether it fails each time; if not, nobody minds when it passes. */
  boolean always() default true;

  /** Several of them. */
  @Target(ElementType.METHOD)
  @Retention(RetentionPolicy.RUNTIME)
  @interface All {
    Deviates[] value();
  }
}
