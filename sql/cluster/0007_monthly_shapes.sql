-- Made by npm run cluster: do not change it here.

-- Counts of custom events and events with properties by month (202501 is January 2025), browser, country, system,
-- device, type, name and shape. A filtered range reads its whole months here. Rows of one browser and country are
-- adjacent, so a filter on both reads only these.
CREATE TABLE IF NOT EXISTS weir_shard.monthly_shapes ON CLUSTER '{cluster}'
(
    website_id LowCardinality(UUID),
    month      UInt32 CODEC(Delta(4), LZ4),
    event_type UInt8,
    event_name LowCardinality(String),
    shape      LowCardinality(String),
    browser    LowCardinality(String),
    os         LowCardinality(String),
    device     LowCardinality(String),
    country    LowCardinality(String),
    events     Int64 CODEC(T64, LZ4)
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', events)
PARTITION BY intDiv(month, 100)
ORDER BY (website_id, month, browser, country, os, device, event_type, event_name, shape)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.monthly_shapes ON CLUSTER '{cluster}' AS weir_shard.monthly_shapes
ENGINE = Distributed('{cluster}', 'weir_shard', 'monthly_shapes');

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.monthly_shapes_from_custom_events ON CLUSTER '{cluster}' TO weir_shard.monthly_shapes DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toYYYYMM(created_at) AS month, event_type, event_name, shape, browser, os, device, country, toInt64(1) AS events
FROM weir_shard.custom_events;

INSERT INTO weir.migrations (name, checksum) VALUES ('0007_monthly_shapes.sql', '0c28adf0ca2c9090567e770e7f1db061537597cc5f586228ada765682c284c0f');
