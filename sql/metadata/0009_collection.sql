-- What makes the ids of visitors of a period random. Weir deletes it once no event of the period can come any more.
CREATE TABLE salts (
  rotation TEXT NOT NULL,
  -- The start of the period, in milliseconds since 1970.
  period INTEGER NOT NULL,
  -- 32 bytes in hexadecimal.
  salt TEXT NOT NULL,
  PRIMARY KEY (rotation, period)
) STRICT, WITHOUT ROWID;

-- Rows that ClickHouse refused when the log sent them, with its message. There are at most 1,000.
CREATE TABLE set_aside_rows (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_table TEXT NOT NULL,
  row TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
