/**
 * The bag description: YAML in, a checked value out, and the lazy product of its parameters as
 * tasks.
 */
package io.gleaner.description;
