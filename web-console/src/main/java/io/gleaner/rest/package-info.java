/** The interface for programs under {@code /api/v1}, as {@code openapi.yaml} describes it. */
package io.gleaner.rest;
