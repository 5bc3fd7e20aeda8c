package io.gleaner.matching;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the field of an entry class by whose value its entries are spread over partitions; entries
 * with equal values lie together, and a template that names the value asks only there.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Shard {}
