-- A key without a user is the operator's. One that is no admin's opens the websites listed for it, or, where
-- all_websites is 1, every website of its user.
ALTER TABLE api_keys ADD COLUMN user_id TEXT REFERENCES users (id) ON DELETE CASCADE;
ALTER TABLE api_keys ADD COLUMN access TEXT NOT NULL DEFAULT 'write' CHECK (access IN ('read', 'write'));
ALTER TABLE api_keys ADD COLUMN all_websites INTEGER NOT NULL DEFAULT 0;
ALTER TABLE api_keys ADD COLUMN origins TEXT;        -- JSON list; any origin where null
ALTER TABLE api_keys ADD COLUMN expires_at INTEGER;
ALTER TABLE api_keys ADD COLUMN last_used_at INTEGER; -- to within some minutes

CREATE INDEX api_keys_by_user ON api_keys (user_id);

-- Keys that were made to read listed websites stay that.
UPDATE api_keys SET access = 'read' WHERE is_admin = 0;

CREATE TABLE shares (
  id         TEXT PRIMARY KEY,
  website_id TEXT NOT NULL,
  name       TEXT NOT NULL,
  search     TEXT NOT NULL DEFAULT '', -- the name in lower case
  slug       TEXT NOT NULL UNIQUE,
  parameters TEXT NOT NULL,     -- JSON: what it opens, and to whom
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX shares_by_website ON shares (website_id, created_at);
