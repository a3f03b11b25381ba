-- Sessions that were deleted and wait for a purge: look-ups and lists of sessions hide them.
CREATE TABLE deleted_sessions (
  website_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  deleted_at INTEGER NOT NULL,
  PRIMARY KEY (website_id, session_id)
) STRICT, WITHOUT ROWID;
