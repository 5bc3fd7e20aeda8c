/**
 * Runs tasks in child processes at the lowest priority, within limits, and ends them when they
 * break one, when the owner wants the machine, or when this process dies.
 */
package io.gleaner.sandbox;
