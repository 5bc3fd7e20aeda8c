/** The application API's super task: a job that divides itself and collects its parts. */
package io.gleaner.examples.supertask;
