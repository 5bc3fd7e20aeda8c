/** Digests of bytes, streams and files; later the signatures of bundles. */
package io.gleaner.signing;
