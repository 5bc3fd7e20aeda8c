/** What changes, as it changes: views of bags and market, and the stream of server-sent events. */
package io.gleaner.live;
