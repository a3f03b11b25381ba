-- Counts of custom events by day and visit, with the visitor's browser, country, system and device. Exact counts of
-- visitors and visits read one row per visit and day instead of one per event.
CREATE TABLE IF NOT EXISTS daily_visits
(
    website_id LowCardinality(UUID),
    day        Date32 CODEC(Delta(4), LZ4),
    session_id UUID,
    visit_id   UUID,
    browser    LowCardinality(String),
    os         LowCardinality(String),
    device     LowCardinality(String),
    country    LowCardinality(String),
    events     Int64 CODEC(T64, LZ4)
)
ENGINE = SummingMergeTree(events)
PARTITION BY toYear(day)
ORDER BY (website_id, toYYYYMM(day), browser, country, os, device, day, session_id, visit_id)
PRIMARY KEY (website_id, toYYYYMM(day), browser, country, os, device)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS daily_visits_from_custom_events TO daily_visits DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, session_id, visit_id, browser, os, device, country, toInt64(1) AS events
FROM custom_events WHERE event_type = 2;
