/** Tests of the wording. */
package io.gleaner.wording;
