package io.gleaner.audit;

/** What a line of the security log tells of; the names are stored, so none is ever changed. */
public enum Deed {
  SIGN_IN,
  SIGN_OUT,
  USER_ADDED,
  USER_REMOVED,
  ROLES_CHANGED,
  PASSWORD_CHANGED,
  API_TOKEN_ISSUED,
  API_TOKEN_REVOKED,
  /** Somebody asked for a join token. */
  INVITED,
  JOIN_TOKEN_REVOKED,
  /** A member got a certificate by a join token. */
  ENROLLED,
  /** A certificate or a member was revoked. */
  REVOKED,
  /** The pool vouches for a key that signs programs. */
  SIGNER_ADDED,
  SIGNER_REVOKED,
  /** One signed program was revoked, by its digest. */
  PROGRAM_REVOKED,
  AUTHORITY_FOUNDED,
  AUTHORITY_ROTATED,
  AUTHORITY_RETIRED,
  /** An operator ended somebody else's bag. */
  BAG_CANCELLED,
  /** An operator changed a setting of the node or the market. */
  SETTING_CHANGED
}
