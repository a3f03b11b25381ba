-- Anyone who has the slug may read the parts that the parameters open.
CREATE TABLE shares (
  id         TEXT PRIMARY KEY,
  website_id TEXT NOT NULL,
  name       TEXT NOT NULL,
  search     TEXT NOT NULL DEFAULT '', -- the name in lower case
  slug       TEXT NOT NULL UNIQUE,
  parameters TEXT NOT NULL,            -- JSON: what it opens, and to whom
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  share_type INTEGER NOT NULL DEFAULT 1 -- 1: of a website, 2: of a link, 3: of a pixel, 4: of a board; website_id is its id
) STRICT;

CREATE INDEX shares_by_website ON shares (website_id, created_at);
