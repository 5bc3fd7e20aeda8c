/** How a launcher joins the market: a token that the operator issues and the launcher presents. */
package io.gleaner.enrolment;
