-- The tables of counts that filters are asked of, each month of them in the order of what it is filtered by: a browser and a country lie
-- together and are read alone, where every row of the range was read before. They hold nothing of their own, so they are made anew.
DROP VIEW IF EXISTS shape_months_from_custom_events;

DROP TABLE IF EXISTS shape_months;

CREATE TABLE shape_months
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
SETTINGS index_granularity = 1024, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

INSERT INTO shape_months
SELECT website_id, toYYYYMM(created_at) AS month, event_type, event_name, shape, browser, os, device, country, toInt64(1) AS events
FROM custom_events;

CREATE MATERIALIZED VIEW shape_months_from_custom_events TO shape_months DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toYYYYMM(created_at) AS month, event_type, event_name, shape, browser, os, device, country, toInt64(1) AS events
FROM custom_events;

DROP VIEW IF EXISTS event_days_from_events;

DROP TABLE IF EXISTS event_days;

CREATE TABLE event_days
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
SETTINGS index_granularity = 1024, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

INSERT INTO event_days
SELECT website_id, toDate32(created_at) AS day, event_type, browser, os, device, country, toInt64(count()) AS events
FROM events GROUP BY ALL;

CREATE MATERIALIZED VIEW event_days_from_events TO event_days DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, browser, os, device, country, toInt64(count()) AS events
FROM events GROUP BY ALL;

DROP VIEW IF EXISTS visit_days_from_custom_events;

DROP TABLE IF EXISTS visit_days;

CREATE TABLE visit_days
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
SETTINGS index_granularity = 1024, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

INSERT INTO visit_days
SELECT website_id, toDate32(created_at) AS day, session_id, visit_id, browser, os, device, country, toInt64(1) AS events
FROM custom_events WHERE event_type = 2;

CREATE MATERIALIZED VIEW visit_days_from_custom_events TO visit_days DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, session_id, visit_id, browser, os, device, country, toInt64(1) AS events
FROM custom_events WHERE event_type = 2;
