-- Made by npm run cluster: do not change it here.

-- Counts of property values by month (202501 is January 2025). A long range reads its whole months here and the
-- properties at its two ends.
CREATE TABLE IF NOT EXISTS weir_shard.monthly_values ON CLUSTER '{cluster}'
(
    website_id LowCardinality(UUID),
    month      UInt32 CODEC(Delta(4), LZ4),
    event_name LowCardinality(String),
    data_key   LowCardinality(String),
    data_type  UInt8,
    value      String CODEC(LZ4),
    properties Int64 CODEC(T64, LZ4)
)
ENGINE = ReplicatedSummingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', properties)
PARTITION BY intDiv(month, 100)
ORDER BY (website_id, data_key, month, event_name, data_type, value)
PRIMARY KEY (website_id, data_key, month, event_name)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.monthly_values ON CLUSTER '{cluster}' AS weir_shard.monthly_values
ENGINE = Distributed('{cluster}', 'weir_shard', 'monthly_values');

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.monthly_values_from_event_data ON CLUSTER '{cluster}' TO weir_shard.monthly_values DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toYYYYMM(created_at) AS month, event_name, data_key, data_type, value, toInt64(1) AS properties
FROM weir_shard.event_data;

INSERT INTO weir.migrations (name, checksum) VALUES ('0010_monthly_values.sql', 'a4fb4e64b4553d42921e64241bd1101046e09c81e37970d14c73e7a1b2b51317');
