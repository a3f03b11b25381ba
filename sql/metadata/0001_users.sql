-- User accounts. Times are milliseconds since 1970, here and in every table.
CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  username      TEXT NOT NULL,
  name_key      TEXT NOT NULL,    -- the username in lower case: SQLite's own NOCASE knows ASCII only
  password_hash TEXT NOT NULL,    -- scrypt, with its parameters and salt: src/access/password.ts
  role          TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER,
  two_factor_required INTEGER NOT NULL DEFAULT 0 -- whether this user must have a second factor
) STRICT;

CREATE UNIQUE INDEX users_by_name ON users (name_key) WHERE deleted_at IS NULL;

-- A sign-in's signed token is valid as long as its row exists: signing out deletes the row.
CREATE TABLE sign_ins (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  step       TEXT, -- what is left to do before it counts: `code` of the second factor, or `return`: the page has not
                   -- fetched its token. Null: nothing
  issuer     TEXT  -- of a sign-in without a password: the name of the issuer, in the settings
) STRICT;

CREATE INDEX sign_ins_by_user ON sign_ins (user_id);

-- The second factor of a user. Without `confirmed_at` it is being set up, and no sign-in asks for it.
CREATE TABLE two_factors (
  user_id      TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  secret       TEXT NOT NULL,                 -- sealed: src/access/second-factor-keys.ts
  backup_codes TEXT NOT NULL DEFAULT '[]',    -- JSON: the hashes of those that were not used
  last_step    INTEGER NOT NULL DEFAULT 0,    -- the last 30 seconds whose code counted: older codes count no more
  tries        INTEGER NOT NULL DEFAULT 0,    -- since the last right code, or the last lock
  locked_until INTEGER,
  created_at   INTEGER NOT NULL,
  confirmed_at INTEGER
) STRICT;

-- What admins have switched on for the whole server. `two-factor-required`: everybody must have a second factor.
CREATE TABLE settings (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

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
