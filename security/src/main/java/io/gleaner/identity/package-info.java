/** Users with their roles and passwords, the tokens of their programs, and their sessions. */
package io.gleaner.identity;
