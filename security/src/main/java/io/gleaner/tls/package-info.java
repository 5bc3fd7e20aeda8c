/**
 * Encrypted connections: what an end shows, whom it believes, and which addresses a port may bind
 * to.
 */
package io.gleaner.tls;
