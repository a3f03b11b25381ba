-- How old a copy of D1 is: at most one row, with the time. Workers that read an older copy renew it.
CREATE TABLE copy_heartbeat (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  beat_at INTEGER NOT NULL
) STRICT;
