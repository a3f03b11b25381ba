-- How far imports from other systems are, as their commands tell. Only the newest ones stay.
CREATE TABLE imports (
  id          TEXT PRIMARY KEY,
  source      TEXT NOT NULL, -- postgresql, clickhouse, export
  state       TEXT NOT NULL, -- running, following, finished, failed
  section     TEXT,          -- what is being read, in words
  rows_done   INTEGER NOT NULL,
  rows_total  INTEGER NOT NULL,
  rate        REAL NOT NULL, -- rows a second
  error       TEXT,
  -- Milliseconds since 1970.
  started_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
