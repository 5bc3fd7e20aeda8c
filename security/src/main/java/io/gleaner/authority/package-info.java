/**
 * The pool's certificate authority: who is who in the pool, the certificates that say so, and the
 * revocations that end them.
 */
package io.gleaner.authority;
