/**
 * Digests, and signatures over what has to be checked by others: the manifests of bundles, and the
 * results of devices.
 */
package io.gleaner.signing;
