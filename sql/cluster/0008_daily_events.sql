-- Made by npm run cluster: do not change it here.

-- Event counts by day, browser, country, system, device and type. Within a month, rows of one browser and country are
-- adjacent.
CREATE TABLE IF NOT EXISTS weir_shard.daily_events ON CLUSTER '{cluster}'
(
    website_id LowCardinality(UUID),
    day        Date32 CODEC(Delta(4), LZ4),
    event_type UInt8,
    browser    LowCardinality(String),
    os         LowCardinality(String),
    device     LowCardinality(String),
    country    LowCardinality(String),
    events     Int64 CODEC(T64, LZ4)
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', events)
PARTITION BY toYear(day)
ORDER BY (website_id, toYYYYMM(day), browser, country, os, device, event_type, day)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.daily_events ON CLUSTER '{cluster}' AS weir_shard.daily_events
ENGINE = Distributed('{cluster}', 'weir_shard', 'daily_events');

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.daily_events_from_events ON CLUSTER '{cluster}' TO weir_shard.daily_events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, browser, os, device, country, toInt64(count()) AS events
FROM weir_shard.events GROUP BY ALL;

INSERT INTO weir.migrations (name, checksum) VALUES ('0008_daily_events.sql', 'db83f439c889ac83c8fcdf519e3f3327b58c2b31d7fb698e2bc692cccec05b34');
