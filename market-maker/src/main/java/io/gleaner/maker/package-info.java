/** The one active market-maker: takes office, clears, turns plans into contracts. */
package io.gleaner.maker;
