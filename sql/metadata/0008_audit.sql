-- Who changed what, and when. The Worker adds rows, and deletes those that are too old. It changes none, but for the
-- number of failed sign-ins within a minute.
CREATE TABLE audit_entries (
  id         INTEGER PRIMARY KEY,
  created_at INTEGER NOT NULL, -- of failed sign-ins: the minute
  actor_kind TEXT NOT NULL, -- user, key, operator, nobody
  actor_id   TEXT,
  actor_name TEXT,
  action     TEXT NOT NULL, -- the operation of the API
  subjects   TEXT NOT NULL, -- JSON: the ids that it named, by the names of their parameters
  fields     TEXT NOT NULL, -- JSON: the names of the fields that it set
  network    TEXT,
  times      INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE INDEX audit_entries_by_time ON audit_entries (created_at);
CREATE UNIQUE INDEX failed_sign_ins ON audit_entries (created_at, coalesce(actor_name, ''), coalesce(network, ''))
  WHERE action = 'failedSignIn';

CREATE TRIGGER audit_entries_stay BEFORE UPDATE ON audit_entries
WHEN OLD.action <> 'failedSignIn' OR NEW.times <> OLD.times + 1
BEGIN SELECT raise(ABORT, 'The audit log takes no changes.'); END;

-- Nobody deletes an entry of the audit log that is younger than 30 days, the least of AUDIT_DAYS.
CREATE TRIGGER audit_entries_last BEFORE DELETE ON audit_entries
WHEN OLD.created_at > (unixepoch() - 30 * 86400) * 1000
BEGIN SELECT raise(ABORT, 'The audit log keeps 30 days.'); END;
