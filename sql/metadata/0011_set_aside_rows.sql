-- Rows that ClickHouse refused when the log sent them, with its message. The log keeps the newest 1,000.
CREATE TABLE set_aside_rows (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_table TEXT NOT NULL,
  row TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
