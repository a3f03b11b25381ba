-- Custom events counted by day and visit, with what is known of the visitor: exact counts of visitors and visits read
-- a row a visit in place of a row an event.
CREATE TABLE IF NOT EXISTS visit_days
(
    website_id  LowCardinality(UUID),
    day         Date32 CODEC(Delta(4), LZ4),
    session_id  UUID,
    visit_id    UUID,
    hostname    LowCardinality(String),
    browser     LowCardinality(String),
    os          LowCardinality(String),
    device      LowCardinality(String),
    language    LowCardinality(String),
    country     LowCardinality(String),
    region      LowCardinality(String),
    city        LowCardinality(String),
    distinct_id String CODEC(ZSTD(1)),
    events      Int64 CODEC(T64, LZ4)
)
ENGINE = SummingMergeTree(events)
PARTITION BY toYear(day)
ORDER BY (website_id, day, session_id, visit_id, hostname, browser, os, device, language, country, region, city, distinct_id)
PRIMARY KEY (website_id, day)
SETTINGS index_granularity = 1024;

DROP VIEW IF EXISTS visit_days_from_custom_events;

TRUNCATE TABLE visit_days;

INSERT INTO visit_days
SELECT website_id, toDate32(created_at) AS day, session_id, visit_id, hostname, browser, os, device, language, country, region, city, distinct_id,
    toInt64(1) AS events
FROM custom_events WHERE event_type = 2;

CREATE MATERIALIZED VIEW visit_days_from_custom_events TO visit_days DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, session_id, visit_id, hostname, browser, os, device, language, country, region, city, distinct_id,
    toInt64(1) AS events
FROM custom_events WHERE event_type = 2;
