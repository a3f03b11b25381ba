-- The moment at which an event was stored. Rows of before this file get their created_at.
-- `ingest` has no such column: a default there would make the rows of a repeated insert differ, and each repeat without
-- a token would count again. A default of `events` is filled in after ClickHouse has compared the rows.
ALTER TABLE events ADD COLUMN IF NOT EXISTS ingested_at DateTime64(3, 'UTC') DEFAULT created_at CODEC(Delta(8), ZSTD(1));

ALTER TABLE events MATERIALIZE COLUMN ingested_at SETTINGS mutations_sync = 2;

ALTER TABLE events MODIFY COLUMN ingested_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta(8), ZSTD(1));
