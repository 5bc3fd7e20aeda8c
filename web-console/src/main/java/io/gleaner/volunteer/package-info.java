/** Browsers that lend the time of a tab: how they become members, and how they reach the space. */
package io.gleaner.volunteer;
