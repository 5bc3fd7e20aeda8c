/**
 * The owner's rules: what the sensors must say before the launcher works, and one state machine
 * that always knows the one reason for what it does.
 */
package io.gleaner.policy;
