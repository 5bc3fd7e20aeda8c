/** The owner's rules, on made-up observations. */
package io.gleaner.policy;
