/** Results compared, the canonical one kept, the ledger told. */
package io.gleaner.verification;
