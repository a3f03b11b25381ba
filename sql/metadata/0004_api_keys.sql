-- A key without a user belongs to the operator. A key without admin rights opens its listed websites, or, if
-- all_websites is 1, every website of its user.
CREATE TABLE api_keys (
  id           TEXT PRIMARY KEY,
  name         TEXT NOT NULL,
  key_hash     TEXT NOT NULL UNIQUE, -- SHA-256 of the key, in hexadecimal; the key itself is stored nowhere
  key_prefix   TEXT NOT NULL,        -- its first characters, to tell keys apart in a list
  is_admin     INTEGER NOT NULL,
  user_id      TEXT REFERENCES users (id) ON DELETE CASCADE,
  access       TEXT NOT NULL DEFAULT 'write',
  all_websites INTEGER NOT NULL DEFAULT 0,
  origins      TEXT,                 -- JSON list; any origin where null
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER,
  last_used_at INTEGER               -- to within some minutes
) STRICT;

CREATE INDEX api_keys_by_user ON api_keys (user_id);

CREATE TABLE api_key_websites (
  key_id     TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  website_id TEXT NOT NULL,
  PRIMARY KEY (key_id, website_id)
) STRICT, WITHOUT ROWID;
