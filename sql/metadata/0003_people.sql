CREATE TABLE users (
  id            TEXT PRIMARY KEY,
  username      TEXT NOT NULL,
  name_key      TEXT NOT NULL,    -- the username in lower case: SQLite's own NOCASE knows ASCII only
  password_hash TEXT NOT NULL,    -- scrypt, with its parameters and salt: src/access/password.ts
  role          TEXT NOT NULL CHECK (role IN ('admin', 'user', 'view-only')),
  created_at    INTEGER NOT NULL, -- ms since 1970
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER
) STRICT;

CREATE UNIQUE INDEX users_by_name ON users (name_key) WHERE deleted_at IS NULL;

-- A signed token opens something for as long as its row is here: signing out deletes it.
CREATE TABLE sign_ins (
  id         TEXT PRIMARY KEY,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sign_ins_by_user ON sign_ins (user_id);
CREATE INDEX sign_ins_by_expiry ON sign_ins (expires_at);

CREATE TABLE teams (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  search      TEXT NOT NULL,        -- the name in lower case
  access_code TEXT NOT NULL UNIQUE, -- who knows it may join
  logo_url    TEXT,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  deleted_at  INTEGER
) STRICT;

CREATE TABLE team_members (
  id         TEXT PRIMARY KEY,
  team_id    TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role       TEXT NOT NULL CHECK (role IN ('team-owner', 'team-manager', 'team-member', 'team-view-only')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (team_id, user_id)
) STRICT;

CREATE INDEX team_members_by_user ON team_members (user_id);

-- A website belongs to a user, to a team, or to the operator (neither).
ALTER TABLE websites ADD COLUMN user_id TEXT;
ALTER TABLE websites ADD COLUMN team_id TEXT;
ALTER TABLE websites ADD COLUMN created_by TEXT;
ALTER TABLE websites ADD COLUMN reset_at INTEGER;    -- events before it are hidden
ALTER TABLE websites ADD COLUMN replay_config TEXT;  -- JSON
ALTER TABLE websites ADD COLUMN public TEXT;         -- JSON: what is open to everyone, in the shape of a share's parameters

CREATE INDEX websites_by_user ON websites (user_id) WHERE deleted_at IS NULL;
CREATE INDEX websites_by_team ON websites (team_id) WHERE deleted_at IS NULL;
