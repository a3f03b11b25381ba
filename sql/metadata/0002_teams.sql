CREATE TABLE teams (
  id          TEXT PRIMARY KEY,
  name        TEXT NOT NULL,
  search      TEXT NOT NULL,        -- the name in lower case
  access_code TEXT NOT NULL UNIQUE, -- whoever knows it may join
  logo_url    TEXT,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  deleted_at  INTEGER,
  two_factor_required INTEGER NOT NULL DEFAULT 0 -- whether its members must have a second factor
) STRICT;

CREATE TABLE team_members (
  id         TEXT PRIMARY KEY,
  team_id    TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id    TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (team_id, user_id)
) STRICT;

CREATE INDEX team_members_by_user ON team_members (user_id);
