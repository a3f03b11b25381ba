-- User accounts. Times are milliseconds since 1970, here and in every table.
CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  username      TEXT NOT NULL,
  name_key      TEXT NOT NULL,    -- the username in lower case: SQLite's own NOCASE knows ASCII only
  password_hash TEXT NOT NULL,    -- scrypt, with its parameters and salt: src/access/password.ts
  role          TEXT NOT NULL CHECK (role IN ('admin', 'user', 'view-only')),
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER
) STRICT;

CREATE UNIQUE INDEX users_by_name ON users (name_key) WHERE deleted_at IS NULL;

-- A sign-in's signed token is valid as long as its row exists: signing out deletes the row.
CREATE TABLE sign_ins (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_ins_by_user ON sign_ins (user_id);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);
