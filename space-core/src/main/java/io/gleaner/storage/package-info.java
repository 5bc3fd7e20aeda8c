/** The node's one SQL database: opened durably or not at all, migrated before anybody reads it. */
package io.gleaner.storage;
