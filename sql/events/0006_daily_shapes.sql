-- Event counts by UTC day, type, name and shape: a few rows a day, for any traffic. A range reads its whole days here
-- and the events at its two ends. Equal rows of one insert are summed when it is stored, others in merges.
-- Corrections are rows with negative counts, so only sums are meaningful. The last two sentences hold for all tables
-- of counts.
CREATE TABLE IF NOT EXISTS daily_shapes
(
    website_id LowCardinality(UUID),
    day        Date32 CODEC(Delta(4), LZ4),
    event_type UInt8,
    event_name LowCardinality(String),
    shape      LowCardinality(String),
    events     Int64 CODEC(T64, LZ4)
)
ENGINE = SummingMergeTree(events)
PARTITION BY toYear(day)
ORDER BY (website_id, day, event_type, event_name, shape)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_shapes_from_events TO daily_shapes DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, '' AS shape, toInt64(count()) AS events
FROM events WHERE event_type != 2 AND NOT has_data GROUP BY ALL;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_shapes_from_custom_events TO daily_shapes DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, shape, toInt64(count()) AS events
FROM custom_events GROUP BY ALL;
