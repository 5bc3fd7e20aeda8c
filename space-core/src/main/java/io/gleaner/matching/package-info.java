/**
 * Entries as type name and separately encoded fields, and the posting lists that find them by
 * template.
 */
package io.gleaner.matching;
