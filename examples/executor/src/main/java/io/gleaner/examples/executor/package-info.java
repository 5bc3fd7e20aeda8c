/** The application API's executor: calls of one's own program on other people's idle desktops. */
package io.gleaner.examples.executor;
