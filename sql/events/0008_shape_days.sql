-- Events counted by day, type, name and shape: a few rows a day, whatever the traffic. Whole days of a range are read
-- here, what is left at its ends from the events themselves. A day is one of UTC. Rows of an insert that are alike become
-- one as it is stored, and later in merges. A row that corrects others may be negative: only sums mean something.
CREATE TABLE IF NOT EXISTS shape_days
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
SETTINGS index_granularity = 1024;

-- What was stored before this file was applied; from the start again where an attempt was cut short.
DROP VIEW IF EXISTS shape_days_from_events;

DROP VIEW IF EXISTS shape_days_from_custom_events;

TRUNCATE TABLE shape_days;

INSERT INTO shape_days
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, '' AS shape, toInt64(count()) AS events
FROM events WHERE event_type != 2 AND NOT has_data GROUP BY ALL;

INSERT INTO shape_days
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, shape, toInt64(count()) AS events
FROM custom_events GROUP BY ALL;

CREATE MATERIALIZED VIEW shape_days_from_events TO shape_days DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, '' AS shape, toInt64(count()) AS events
FROM events WHERE event_type != 2 AND NOT has_data GROUP BY ALL;

CREATE MATERIALIZED VIEW shape_days_from_custom_events TO shape_days DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toDate32(created_at) AS day, event_type, event_name, shape, toInt64(count()) AS events
FROM custom_events GROUP BY ALL;
