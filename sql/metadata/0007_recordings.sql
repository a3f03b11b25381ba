-- Replays that were deleted and wait for a purge: nothing shows them.
CREATE TABLE hidden_replays (
  website_id TEXT NOT NULL,
  visit_id   TEXT NOT NULL,
  hidden_at  INTEGER NOT NULL,
  PRIMARY KEY (website_id, visit_id)
) STRICT, WITHOUT ROWID;

-- Replays that somebody saved: they are kept when others have grown old.
CREATE TABLE saved_replays (
  id         TEXT PRIMARY KEY,
  website_id TEXT NOT NULL,
  visit_id   TEXT NOT NULL,
  name       TEXT NOT NULL,
  search     TEXT NOT NULL, -- the name in lower case
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (website_id, visit_id)
) STRICT;

CREATE INDEX saved_replays_by_website ON saved_replays (website_id, created_at);

-- Replays that a user has seen. The user of the operator's keys is ''.
CREATE TABLE seen_replays (
  user_id    TEXT NOT NULL,
  website_id TEXT NOT NULL,
  visit_id   TEXT NOT NULL,
  seen_at    INTEGER NOT NULL,
  PRIMARY KEY (user_id, website_id, visit_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX seen_replays_by_time ON seen_replays (user_id, seen_at);
