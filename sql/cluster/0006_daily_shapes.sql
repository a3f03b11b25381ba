-- Made by npm run cluster: do not change it here.

-- Event counts by UTC day, type, name and shape: a few rows a day, for any traffic. A range reads its whole days here
-- and the events at its two ends. Equal rows of one insert are summed when it is stored, others in merges.
-- Corrections are rows with negative counts, so only sums are meaningful. The last two sentences hold for all tables
-- of counts.
CREATE TABLE IF NOT EXISTS weir_shard.daily_shapes ON CLUSTER '{cluster}'
(
    website_id LowCardinality(UUID),
    day        Date32 CODEC(Delta(4), LZ4),
    event_type UInt8,
    event_name LowCardinality(String),
    shape      LowCardinality(String),
    events     Int64 CODEC(T64, LZ4)
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', events)
PARTITION BY toYear(day)
ORDER BY (website_id, day, event_type, event_name, shape)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.daily_shapes ON CLUSTER '{cluster}' AS weir_shard.daily_shapes
ENGINE = Distributed('{cluster}', 'weir_shard', 'daily_shapes');

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.daily_shapes_from_events ON CLUSTER '{cluster}' TO weir_shard.daily_shapes DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, '' AS shape, toInt64(count()) AS events
FROM weir_shard.events WHERE event_type != 2 AND NOT has_data GROUP BY ALL;

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.daily_shapes_from_custom_events ON CLUSTER '{cluster}' TO weir_shard.daily_shapes DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, shape, toInt64(count()) AS events
FROM weir_shard.custom_events GROUP BY ALL;

INSERT INTO weir.migrations (name, checksum) VALUES ('0006_daily_shapes.sql', 'e719dd619d91e6cc9b8c391f8d10c8359156710dfb01a5e9f31b869446f4bec2');
