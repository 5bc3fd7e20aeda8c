/** Transactions of the module that keeps users, certificates and logs in SQL. */
package io.gleaner.sql;
