-- Made by npm run cluster: do not change it here.

-- The moment at which an event was stored. Rows of before this file get their created_at.
-- `ingest` has no such column: a default there would make the rows of a repeated insert differ, and each repeat without
-- a token would count again. A default of `events` is filled in after ClickHouse has compared the rows.
ALTER TABLE weir_shard.events ON CLUSTER '{cluster}' ADD COLUMN IF NOT EXISTS ingested_at DateTime64(3, 'UTC') DEFAULT created_at CODEC(Delta(8), ZSTD(1));

ALTER TABLE weir.events ON CLUSTER '{cluster}' ADD COLUMN IF NOT EXISTS ingested_at DateTime64(3, 'UTC') DEFAULT created_at CODEC(Delta(8), ZSTD(1));

ALTER TABLE weir_shard.events ON CLUSTER '{cluster}' MATERIALIZE COLUMN ingested_at SETTINGS mutations_sync = 2;

ALTER TABLE weir_shard.events ON CLUSTER '{cluster}' MODIFY COLUMN ingested_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta(8), ZSTD(1));

ALTER TABLE weir.events ON CLUSTER '{cluster}' MODIFY COLUMN ingested_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta(8), ZSTD(1));

INSERT INTO weir.migrations (name, checksum) VALUES ('0015_ingested_at.sql', '59aa4f45611f06f14b8e6c535a80aef3f03f1741d32312cd7039e40561501755');
