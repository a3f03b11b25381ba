-- Saved reports. A funnel or a goal is a report of that type.
CREATE TABLE reports (
  id          TEXT PRIMARY KEY,
  website_id  TEXT NOT NULL,
  user_id     TEXT,          -- who saved it first; null for the operator
  type        TEXT NOT NULL,
  name        TEXT NOT NULL,
  description TEXT NOT NULL,
  search      TEXT NOT NULL, -- name and description in lower case
  parameters  TEXT NOT NULL, -- JSON
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;

CREATE INDEX reports_by_website ON reports (website_id, type, created_at);
