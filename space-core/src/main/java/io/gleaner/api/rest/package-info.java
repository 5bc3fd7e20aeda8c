/**
 * The REST interface of a node as Java programs use it: the application API and the commands. Free
 * to change; programs use {@code io.gleaner.api}.
 */
package io.gleaner.api.rest;
