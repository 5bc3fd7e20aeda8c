/**
 * The edge that every room of the console shares: refusals, limits, headers, and the way off the
 * event loop.
 */
package io.gleaner.http;
