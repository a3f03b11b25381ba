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

-- Who must have one: a user, the members of a team, or everybody (`two-factor-required` in `settings`).
ALTER TABLE users ADD COLUMN two_factor_required INTEGER NOT NULL DEFAULT 0;
ALTER TABLE teams ADD COLUMN two_factor_required INTEGER NOT NULL DEFAULT 0;

-- What admins have switched on for the whole server.
CREATE TABLE settings (
  name TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What is left to do before a sign-in counts: `code` of the second factor. Null: nothing.
ALTER TABLE sign_ins ADD COLUMN step TEXT;
