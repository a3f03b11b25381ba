-- Websites, links and pixels. A link redirects, and a pixel is an image; both count hits as a website counts views, so
-- rights, shares and reports treat all three alike. The owner is a user, a team, or the operator (neither). A deleted
-- website answers like an unknown one.
CREATE TABLE websites (
  id            TEXT PRIMARY KEY,
  name          TEXT NOT NULL,
  domain        TEXT NOT NULL,
  search        TEXT NOT NULL,    -- name and domain in lower case
  user_id       TEXT,
  team_id       TEXT,
  created_by    TEXT,
  reset_at      INTEGER,          -- events before it are hidden
  replay_config TEXT,             -- JSON
  public        TEXT,             -- JSON: what is open to everyone, in the shape of a share's parameters
  cache_epoch   INTEGER NOT NULL DEFAULT 0, -- part of the key of every cached answer: counting it up leaves them behind
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL,
  deleted_at    INTEGER,
  kind          TEXT NOT NULL DEFAULT 'website',
  slug          TEXT,             -- the end of the address of a link or a pixel; that of a deleted one stays taken
  url           TEXT,             -- where a link leads
  -- Which parameters of its address a link passes on to its target.
  pass_query    TEXT NOT NULL DEFAULT 'utm',
  retention     TEXT              -- JSON: eventMonths, replayDays, heatmapDays. NULL: as long as the others
) STRICT;

CREATE INDEX websites_by_name ON websites (name COLLATE NOCASE, id) WHERE deleted_at IS NULL;
CREATE INDEX websites_by_user ON websites (user_id) WHERE deleted_at IS NULL;
CREATE INDEX websites_by_team ON websites (team_id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX websites_by_slug ON websites (kind, slug) WHERE slug IS NOT NULL;
