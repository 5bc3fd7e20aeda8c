/**
 * The remote protocol of the space: the server on a node, the client in launchers and applications,
 * and the frames between them ({@code gateway.proto}).
 */
package io.gleaner.gateway;
