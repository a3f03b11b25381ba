-- Made by npm run cluster: do not change it here.

-- One row per property, with those columns of its event by which requests for values filter. Counts of values read
-- the rows of one key, without a join. A filter on any other column unfolds custom_events instead.
CREATE TABLE IF NOT EXISTS weir_shard.event_data ON CLUSTER '{cluster}'
(
    website_id LowCardinality(UUID),
    event_name LowCardinality(String),
    data_key   LowCardinality(String),
    created_at DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    data_type  UInt8,
    -- Counts read millions of values, and LZ4 decompresses in half the time of ZSTD.
    value      String CODEC(LZ4),
    event_type UInt8,
    hostname   LowCardinality(String),
    browser    LowCardinality(String),
    os         LowCardinality(String),
    device     LowCardinality(String),
    country    LowCardinality(String),
    url_path   LowCardinality(String)
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, event_name, data_key, created_at)
SETTINGS index_granularity = 1024,
    -- A day's values are scattered, a few rows per key. Small blocks decompress less data around them.
    min_compress_block_size = 16384, max_compress_block_size = 32768,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.event_data ON CLUSTER '{cluster}' AS weir_shard.event_data
ENGINE = Distributed('{cluster}', 'weir_shard', 'event_data');

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.event_data_from_custom_events ON CLUSTER '{cluster}' TO weir_shard.event_data DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, event_name, data_key, created_at, data_type, value, event_type, hostname, browser, os, device, country, url_path
FROM weir_shard.custom_events
ARRAY JOIN
    `properties.key` AS data_key,
    `properties.data_type` AS data_type,
    `properties.value` AS value;

INSERT INTO weir.migrations (name, checksum) VALUES ('0004_event_data.sql', 'a7ebd21fd508342f344337c17ff88b8de2567ec05b9bf8885dec3dac89236c56');
