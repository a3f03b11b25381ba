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
