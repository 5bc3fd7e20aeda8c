/** Who may have how much: the share stage of a decision. */
package io.gleaner.fairshare;
