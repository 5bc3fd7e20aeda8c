package io.gleaner.pages;

import io.gleaner.bag.Bags;
import io.gleaner.bag.Signers;
import io.gleaner.blob.UserBlobs;
import io.gleaner.enrolment.Members;
import io.gleaner.identity.ApiTokens;
import io.gleaner.identity.Sessions;
import io.gleaner.identity.Users;
import io.gleaner.ledger.Ledger;
import io.gleaner.maker.MarketView;
import io.gleaner.rest.Auditing;
import io.gleaner.rest.NodeFacts;
import io.gleaner.signin.OpenIdSettings;
import io.gleaner.volunteer.BrowserSockets;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What the console shows and steers.
 *
 * @param browsers where browsers that lend their time come in; empty if they may not
 * @param welcome grants a new user the first credits, once
 * @param openId the provider by which people may sign in, too
 */
public record ConsoleParts(
    Bags bags,
    Signers signers,
    Ledger ledger,
    MarketView market,
    UserBlobs blobs,
    Users users,
    Sessions sessions,
    ApiTokens apiTokens,
    Consumer<String> welcome,
    Auditing auditing,
    Members members,
    Optional<BrowserSockets.Entry> browsers,
    InstantSource clock,
    NodeFacts node,
    Optional<OpenIdSettings> openId) {}
