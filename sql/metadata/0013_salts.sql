-- What makes the ids of visitors of a period random. Weir deletes it once no event of the period can come any more.
CREATE TABLE salts (
  rotation TEXT NOT NULL,
  -- The start of the period, in milliseconds since 1970.
  period INTEGER NOT NULL,
  -- 32 bytes in hexadecimal.
  salt TEXT NOT NULL,
  PRIMARY KEY (rotation, period)
) STRICT, WITHOUT ROWID;
