package io.gleaner.pages;

import io.gleaner.rest.NodeFacts;

/**
 * What surrounds every page.
 *
 * @param active which entry of the navigation is lit
 * @param user who is signed in, empty if nobody is
 * @param submits whether the user may submit bags
 * @param seesUsers whether the user may see who else there is
 * @param csrf what forms of this page carry; empty if nobody is signed in
 * @param position where the page's event stream begins
 * @param bag the bag that the page is about, or empty
 */
public record Frame(
    String title,
    String active,
    String user,
    boolean submits,
    boolean seesUsers,
    String csrf,
    String position,
    String bag,
    NodeFacts node) {}
