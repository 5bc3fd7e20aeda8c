/** Leases as durations on the owner's monotonic clock. */
package io.gleaner.leasing;
