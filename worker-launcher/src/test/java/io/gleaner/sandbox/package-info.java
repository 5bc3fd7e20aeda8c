/** Real child processes: started, limited, suspended, killed. */
package io.gleaner.sandbox;
