/** The console's pages for people, and the server that puts its rooms together. */
package io.gleaner.pages;
