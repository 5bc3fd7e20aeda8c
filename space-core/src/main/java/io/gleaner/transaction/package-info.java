/** The life of a transaction and its coordinator, which alone decides how it ends. */
package io.gleaner.transaction;
