/**
 * Tamper evidence: hash chains, signed checkpoints of them, and the log of what was done to
 * security.
 */
package io.gleaner.audit;
