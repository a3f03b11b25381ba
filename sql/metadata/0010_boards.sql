-- Boards arrange what dashboards show. Weir keeps their parameters, and reads in them only of which websites, links and
-- pixels they are.
CREATE TABLE boards (
  id              TEXT PRIMARY KEY,
  type            TEXT NOT NULL CHECK (type IN ('mixed', 'website', 'pixel', 'link', 'dashboard')),
  name            TEXT NOT NULL,
  name_key        TEXT NOT NULL, -- in lower case
  description     TEXT NOT NULL,
  description_key TEXT NOT NULL, -- in lower case
  parameters      TEXT NOT NULL, -- JSON
  subjects        TEXT NOT NULL, -- JSON: websiteIds, linkIds and pixelIds of the parameters
  user_id         TEXT,          -- the owner: a user, a team or the operator (neither)
  team_id         TEXT,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;

CREATE INDEX boards_by_user ON boards (user_id);
CREATE INDEX boards_by_team ON boards (team_id);
