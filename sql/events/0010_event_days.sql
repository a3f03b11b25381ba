-- Events counted by day, type, browser, system, device and country: how many there are under these filters.
CREATE TABLE IF NOT EXISTS event_days
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
ORDER BY (website_id, day, event_type, browser, os, device, country)
SETTINGS index_granularity = 1024;

DROP VIEW IF EXISTS event_days_from_events;

TRUNCATE TABLE event_days;

INSERT INTO event_days
SELECT website_id, toDate32(created_at) AS day, event_type, browser, os, device, country, toInt64(count()) AS events
FROM events GROUP BY ALL;

CREATE MATERIALIZED VIEW event_days_from_events TO event_days DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, browser, os, device, country, toInt64(count()) AS events
FROM events GROUP BY ALL;
