/** One small pure class per market mechanism: which pairs trade at which price. */
package io.gleaner.mechanism;
