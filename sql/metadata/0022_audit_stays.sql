-- Nobody deletes an entry of the audit log that is younger than 30 days, the least of AUDIT_DAYS.
CREATE TRIGGER audit_entries_last BEFORE DELETE ON audit_entries
WHEN OLD.created_at > (unixepoch() - 30 * 86400) * 1000
BEGIN SELECT raise(ABORT, 'The audit log keeps 30 days.'); END;
