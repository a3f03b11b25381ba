CREATE TABLE api_keys (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  key_hash   TEXT NOT NULL UNIQUE, -- SHA-256 of the key, hexadecimal; the key itself is stored nowhere
  key_prefix TEXT NOT NULL,        -- its first characters, to tell keys apart in a list
  is_admin   INTEGER NOT NULL,     -- 1: every website, and may create and delete them
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_key_websites (
  key_id     TEXT NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  website_id TEXT NOT NULL,
  PRIMARY KEY (key_id, website_id)
) STRICT, WITHOUT ROWID;
