/**
 * Databases, opened durably or not at all and migrated before anybody reads them, and the journal
 * of the space in one.
 */
package io.gleaner.storage;
