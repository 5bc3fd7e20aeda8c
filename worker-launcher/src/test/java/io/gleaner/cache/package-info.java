/** The disk cache on a real folder. */
package io.gleaner.cache;
