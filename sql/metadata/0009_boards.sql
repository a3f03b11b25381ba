-- Boards arrange what dashboards show. Weir stores their parameters, and reads in them only which websites, links and
-- pixels they name.
CREATE TABLE boards (
  id              TEXT PRIMARY KEY,
  type            TEXT NOT NULL CHECK (type IN ('mixed', 'website', 'pixel', 'link', 'dashboard')),
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
  kind       TEXT NOT NULL CHECK (kind IN ('website', 'link', 'pixel')), -- what the parameters call it
  put_by     TEXT,                                                       -- the user who put it there and owned it then
  PRIMARY KEY (board_id, subject_id, kind)
) STRICT, WITHOUT ROWID;

CREATE INDEX board_subjects_by_subject ON board_subjects (subject_id);
