-- Part of the key of every cached answer about a website: counting it up leaves them all behind.
ALTER TABLE websites ADD COLUMN cache_epoch INTEGER NOT NULL DEFAULT 0;
