/**
 * How a machine or a program joins the pool: a token that says who it will be, used once by the key
 * that it made itself.
 */
package io.gleaner.enrolment;
