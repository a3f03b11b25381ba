-- The property table: one row per property, the filterable dimensions of its event beside it. Counts of values read
-- one key's rows, and a filtered count needs no join. Derived from custom_events: `npm run weir -- rebuild` refills it.
CREATE TABLE IF NOT EXISTS event_data
(
    website_id      LowCardinality(UUID),
    event_name      LowCardinality(String),
    data_key        LowCardinality(String),
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    data_type       UInt8,
    value           String CODEC(ZSTD(1)),
    event_type      UInt8,
    hostname        LowCardinality(String),
    browser         LowCardinality(String),
    os              LowCardinality(String),
    device          LowCardinality(String),
    screen          LowCardinality(String),
    language        LowCardinality(String),
    country         LowCardinality(String),
    region          LowCardinality(String),
    city            LowCardinality(String),
    url_path        LowCardinality(String),
    url_query       String CODEC(ZSTD(1)),
    utm_source      LowCardinality(String),
    utm_medium      LowCardinality(String),
    utm_campaign    LowCardinality(String),
    utm_content     LowCardinality(String),
    utm_term        LowCardinality(String),
    referrer_domain LowCardinality(String),
    page_title      LowCardinality(String),
    tag             LowCardinality(String),
    distinct_id     String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, event_name, data_key, created_at)
SETTINGS index_granularity = 1024;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_data_from_custom_events TO event_data AS
SELECT
    * EXCEPT (event_id, session_id, visit_id, shape, `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`),
    data_key,
    data_type,
    value
FROM custom_events
ARRAY JOIN
    `properties.key` AS data_key,
    `properties.data_type` AS data_type,
    `properties.value` AS value;
