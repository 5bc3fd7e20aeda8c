/**
 * Measures what the bars of performance are about: {@code gleaner bench}. An area is what is
 * measured, a peer is who is measured, a pattern is what each client does again and again.
 */
package io.gleaner.bench;
