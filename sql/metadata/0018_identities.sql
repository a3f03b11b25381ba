-- Who signs in at an issuer of OpenID Connect: the issuer and its subject, and nothing else, say which user it is.
CREATE TABLE identities (
  id         TEXT PRIMARY KEY,
  issuer     TEXT NOT NULL,   -- its URL
  subject    TEXT NOT NULL,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;

CREATE INDEX identities_by_user ON identities (user_id);

-- The states with which browsers came back from an issuer: each counts once.
CREATE TABLE used_states (
  state      TEXT PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The name of the issuer, in the settings, of a sign-in without a password. Its `step` may be `return`, too: the page
-- has not fetched its token yet.
ALTER TABLE sign_ins ADD COLUMN issuer TEXT;
