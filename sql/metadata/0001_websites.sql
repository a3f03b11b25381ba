CREATE TABLE websites (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  domain     TEXT NOT NULL,
  search     TEXT NOT NULL,    -- name and domain in lower case: SQLite's own lower() knows ASCII only
  created_at INTEGER NOT NULL, -- ms since 1970
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER           -- a deleted website answers like one that never was
) STRICT;

CREATE INDEX websites_by_name ON websites (name COLLATE NOCASE, id) WHERE deleted_at IS NULL;
