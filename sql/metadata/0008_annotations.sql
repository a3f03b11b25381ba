-- Notes on moments of a website: a release, a campaign. No event is changed by one.
CREATE TABLE annotations (
  id         TEXT PRIMARY KEY,
  website_id TEXT NOT NULL,
  user_id    TEXT,             -- who wrote it; null for the operator
  date       INTEGER NOT NULL, -- milliseconds since 1970, like all times; of a whole day its 00:00 UTC
  all_day    INTEGER NOT NULL,
  note       TEXT NOT NULL,
  search     TEXT NOT NULL,    -- the note in lower case
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX annotations_by_website ON annotations (website_id, date);
