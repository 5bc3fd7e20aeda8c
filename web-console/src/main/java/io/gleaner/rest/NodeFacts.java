package io.gleaner.rest;

/**
 * What a node says of itself.
 *
 * @param gatewayAddress where launchers join, as host:port
 * @param economy the economy in force
 */
public record NodeFacts(String version, String gatewayAddress, String economy) {}
