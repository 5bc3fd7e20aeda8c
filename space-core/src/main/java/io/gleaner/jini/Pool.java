package io.gleaner.jini;

import io.gleaner.gateway.GatewayAddress;
import java.net.URI;
import java.util.Optional;

/**
 * A pool that was found.
 *
 * @param console where its console is, if it said so
 * @param certificateFingerprint empty while there are no certificates
 */
public record Pool(
    String name, GatewayAddress gateway, Optional<URI> console, String certificateFingerprint) {}
