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

-- Counts of custom events and events with properties by month (202501 is January 2025), browser, country, system,
-- device, type, name and shape. A filtered range reads its whole months here. Rows of one browser and country are
-- adjacent, so a filter on both reads only these.
CREATE TABLE IF NOT EXISTS monthly_shapes
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
ENGINE = SummingMergeTree(events)
PARTITION BY intDiv(month, 100)
ORDER BY (website_id, month, browser, country, os, device, event_type, event_name, shape)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS monthly_shapes_from_custom_events TO monthly_shapes DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toYYYYMM(created_at) AS month, event_type, event_name, shape, browser, os, device, country, toInt64(1) AS events
FROM custom_events;

-- Event counts by day, browser, country, system, device and type. Within a month, rows of one browser and country are
-- adjacent.
CREATE TABLE IF NOT EXISTS daily_events
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
ENGINE = SummingMergeTree(events)
PARTITION BY toYear(day)
ORDER BY (website_id, toYYYYMM(day), browser, country, os, device, event_type, day)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_events_from_events TO daily_events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, browser, os, device, country, toInt64(count()) AS events
FROM events GROUP BY ALL;

-- Counts of property values by month (202501 is January 2025). A long range reads its whole months here and the
-- properties at its two ends.
CREATE TABLE IF NOT EXISTS monthly_values
(
    website_id LowCardinality(UUID),
    month      UInt32 CODEC(Delta(4), LZ4),
    event_name LowCardinality(String),
    data_key   LowCardinality(String),
    data_type  UInt8,
    value      String CODEC(LZ4),
    properties Int64 CODEC(T64, LZ4)
)
ENGINE = SummingMergeTree(properties)
PARTITION BY intDiv(month, 100)
ORDER BY (website_id, data_key, month, event_name, data_type, value)
PRIMARY KEY (website_id, data_key, month, event_name)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS monthly_values_from_event_data TO monthly_values DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toYYYYMM(created_at) AS month, event_name, data_key, data_type, value, toInt64(1) AS properties
FROM event_data;
