-- Sessions that were deleted and wait for a purge: look-ups and lists of sessions hide them.
CREATE TABLE deleted_sessions (
  website_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (website_id, session_id)
) STRICT, WITHOUT ROWID;

-- When work that is due each day was last done: `/metrics` tells it.
CREATE TABLE daily_work (
  name    TEXT PRIMARY KEY, -- recordings: old recordings were deleted
  done_at INTEGER NOT NULL  -- milliseconds since 1970
) STRICT, WITHOUT ROWID;

-- How old a copy of D1 is: at most one row, with the time. Workers that read an older copy renew it.
CREATE TABLE copy_heartbeat (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  beat_at INTEGER NOT NULL
) STRICT;
