/**
 * Tells people and programs what became of a bag: mail and webhooks, decided once, kept in SQL, and
 * sent until received or given up.
 */
package io.gleaner.notice;
