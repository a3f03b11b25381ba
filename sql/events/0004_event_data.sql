-- One row per property, with those columns of its event by which requests for values filter. Counts of values read
-- the rows of one key, without a join. A filter on any other column unfolds custom_events instead.
CREATE TABLE IF NOT EXISTS event_data
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
    url_path   LowCardinality(String),
    -- Whether the event has the same value of the property before it. Texts and booleans are alike.
    is_repeat  UInt8,
    -- Whether the number or the date is missing.
    is_void    UInt8
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, event_name, data_key, created_at)
SETTINGS index_granularity = 1024,
    -- A day's values are scattered, a few rows per key. Small blocks decompress less data around them.
    min_compress_block_size = 16384, max_compress_block_size = 32768,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_data_from_custom_events TO event_data DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, event_name, data_key, created_at, data_type, value, event_type, hostname, browser, os, device, country, url_path,
    is_repeat, is_void
FROM custom_events
ARRAY JOIN
    `properties.key` AS data_key,
    `properties.data_type` AS data_type,
    `properties.value` AS value,
    arrayMap(place -> place > 1, arrayEnumerateUniq(
        `properties.key`, arrayMap(type -> if(type = 3, 1, type), `properties.data_type`), `properties.value`)) AS is_repeat,
    arrayMap(
        (type, number, date) -> (type = 2 AND isNull(number)) OR (type = 4 AND isNull(date)),
        `properties.data_type`, `properties.number_value`, `properties.date_value`) AS is_void;
