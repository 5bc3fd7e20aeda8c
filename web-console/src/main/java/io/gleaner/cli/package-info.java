/** The {@code gleaner} command: starts a node and talks to one over REST. */
package io.gleaner.cli;
