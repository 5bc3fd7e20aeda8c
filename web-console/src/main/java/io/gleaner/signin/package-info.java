/** Who is calling: sessions of people, tokens of programs, and proof that a change was meant. */
package io.gleaner.signin;
