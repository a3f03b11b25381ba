-- What an import from another system has brought, by its table here. It brings nothing twice: what was changed or
-- deleted here since stays so.
CREATE TABLE moved_in (
  thing TEXT NOT NULL, -- the name of the table
  id    TEXT NOT NULL,
  PRIMARY KEY (thing, id)
) STRICT, WITHOUT ROWID;

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
