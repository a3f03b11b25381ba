-- Values of properties counted by month; `month` is 202501 for January 2025. A long range reads its whole months here and
-- the properties themselves at its two ends.
CREATE TABLE IF NOT EXISTS value_months
(
    website_id LowCardinality(UUID),
    month      UInt32 CODEC(Delta(4), LZ4),
    event_name LowCardinality(String),
    data_key   LowCardinality(String),
    data_type  UInt8,
    value      String CODEC(ZSTD(1)),
    properties Int64 CODEC(T64, LZ4)
)
ENGINE = SummingMergeTree(properties)
PARTITION BY intDiv(month, 100)
ORDER BY (website_id, data_key, month, event_name, data_type, value)
PRIMARY KEY (website_id, data_key, month, event_name)
SETTINGS index_granularity = 1024;

DROP VIEW IF EXISTS value_months_from_event_data;

TRUNCATE TABLE value_months;

INSERT INTO value_months
SELECT website_id, toYYYYMM(created_at) AS month, event_name, data_key, data_type, value, toInt64(1) AS properties
FROM event_data;

CREATE MATERIALIZED VIEW value_months_from_event_data TO value_months DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT website_id, toYYYYMM(created_at) AS month, event_name, data_key, data_type, value, toInt64(1) AS properties
FROM event_data;
