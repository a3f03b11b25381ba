-- Custom events and events with properties counted by month, with what is asked for most beside: the visitor's browser,
-- system, device and country. Whole months of a filtered range are read here. `month` is 202501 for January 2025.
CREATE TABLE IF NOT EXISTS shape_months
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
ORDER BY (website_id, month, event_type, event_name, shape, browser, os, device, country)
SETTINGS index_granularity = 1024;

DROP VIEW IF EXISTS shape_months_from_custom_events;

TRUNCATE TABLE shape_months;

INSERT INTO shape_months
SELECT website_id, toYYYYMM(created_at) AS month, event_type, event_name, shape, browser, os, device, country, toInt64(1) AS events
FROM custom_events;

CREATE MATERIALIZED VIEW shape_months_from_custom_events TO shape_months DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toYYYYMM(created_at) AS month, event_type, event_name, shape, browser, os, device, country, toInt64(1) AS events
FROM custom_events;
