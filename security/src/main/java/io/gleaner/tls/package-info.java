/** Which addresses a port may bind to; later the certificates that protect the others. */
package io.gleaner.tls;
