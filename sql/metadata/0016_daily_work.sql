-- When work that is due each day was last done: `/metrics` tells it.
CREATE TABLE daily_work (
  name    TEXT PRIMARY KEY, -- recordings: old recordings were deleted
  done_at INTEGER NOT NULL  -- milliseconds since 1970
) STRICT, WITHOUT ROWID;
