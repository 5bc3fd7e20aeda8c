/** Tasks of every kind of temper, packed into bundles by the tests. */
package io.gleaner.sandbox.programs;
