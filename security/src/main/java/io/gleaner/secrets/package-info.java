/**
 * Secrets that do not show themselves, the files they lie in, and the family of refusals of this
 * module.
 */
package io.gleaner.secrets;
