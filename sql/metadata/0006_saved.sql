-- Saved filters: a segment stands for a request's filters, a cohort selects sessions.
CREATE TABLE segments (
  id         TEXT PRIMARY KEY,
  website_id TEXT NOT NULL,
  type       TEXT NOT NULL,
  name       TEXT NOT NULL,
  search     TEXT NOT NULL, -- the name in lower case
  parameters TEXT NOT NULL, -- JSON
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE INDEX segments_by_website ON segments (website_id, type, name);

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

-- Boards arrange what dashboards show. Weir stores their parameters, and reads in them only which websites, links and
-- pixels they name.
CREATE TABLE boards (
  id              TEXT PRIMARY KEY,
  type            TEXT NOT NULL,
  name            TEXT NOT NULL,
  name_key        TEXT NOT NULL, -- in lower case
  description     TEXT NOT NULL,
  description_key TEXT NOT NULL, -- in lower case
  parameters      TEXT NOT NULL, -- JSON
  user_id         TEXT,          -- the owner: a user, a team or the operator (neither)
  team_id         TEXT,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX boards_by_user ON boards (user_id);
CREATE INDEX boards_by_team ON boards (team_id);

-- The websites, links and pixels that a board's parameters name, found when the parameters were written. The share of a
-- board opens these. The transfer of a website takes its rows away.
CREATE TABLE board_subjects (
  board_id   TEXT NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
  subject_id TEXT NOT NULL,
  kind       TEXT NOT NULL, -- what the parameters call it
  put_by     TEXT,                                                       -- the user who put it there and owned it then
  PRIMARY KEY (board_id, subject_id, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX board_subjects_by_subject ON board_subjects (subject_id);
