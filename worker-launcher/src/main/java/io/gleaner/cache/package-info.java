/** Code and inputs by digest on the local disk: bounded, verified, oldest use evicted first. */
package io.gleaner.cache;
