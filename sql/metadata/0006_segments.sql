-- Saved filters: a segment stands for a request's filters, a cohort selects sessions.
CREATE TABLE segments (
  id         TEXT PRIMARY KEY,
  website_id TEXT NOT NULL,
  type       TEXT NOT NULL CHECK (type IN ('segment', 'cohort')),
  name       TEXT NOT NULL,
  search     TEXT NOT NULL, -- the name in lower case
  parameters TEXT NOT NULL, -- JSON
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX segments_by_website ON segments (website_id, type, name);
