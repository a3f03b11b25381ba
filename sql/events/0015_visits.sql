-- visit_days without the columns that no statement read: a filter on one of them has the names counted from the events, and then the
-- visits as well. The table holds nothing of its own, so it is made anew from custom_events.
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
ORDER BY (website_id, day, session_id, visit_id, browser, os, device, country)
PRIMARY KEY (website_id, day)
SETTINGS index_granularity = 1024, min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

INSERT INTO visit_days
SELECT website_id, toDate32(created_at) AS day, session_id, visit_id, browser, os, device, country, toInt64(1) AS events
FROM custom_events WHERE event_type = 2;

CREATE MATERIALIZED VIEW visit_days_from_custom_events TO visit_days DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, session_id, visit_id, browser, os, device, country, toInt64(1) AS events
FROM custom_events WHERE event_type = 2;
