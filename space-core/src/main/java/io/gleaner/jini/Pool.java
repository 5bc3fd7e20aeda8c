package io.gleaner.jini;

import io.gleaner.gateway.GatewayAddress;

/**
 * A pool that was found.
 *
 * @param certificateFingerprint empty while there are no certificates
 */
public record Pool(String name, GatewayAddress gateway, String certificateFingerprint) {}
