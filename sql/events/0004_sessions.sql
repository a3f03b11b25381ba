-- Every identify call: one row each, with its properties as parallel arrays, sorted by key.
CREATE TABLE IF NOT EXISTS session_data
(
    website_id      LowCardinality(UUID),
    session_id      UUID,
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    distinct_id     String CODEC(ZSTD(1)),
    properties      Nested
    (
        key          LowCardinality(String),
        data_type    UInt8,
        string_value String,
        number_value Nullable(Decimal(22, 4)),
        date_value   Nullable(DateTime64(3, 'UTC'))
    ) CODEC(ZSTD(1)),
    -- The texts of values as the API answers them, as `properties.value` of `custom_events`, but stored: questions
    -- about the current values of sessions then read three arrays of each call, not five.
    `properties.value` Array(String) DEFAULT arrayMap(
        (type, string, number, date) -> multiIf(
            type = 2 AND isNotNull(number), toString(assumeNotNull(number)),
            type = 4 AND isNotNull(date), formatDateTime(assumeNotNull(date), '%Y-%m-%dT%H:%i:%SZ', 'UTC'),
            string),
        `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`)
        CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, session_id, created_at)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_data_from_ingest_session_data TO session_data DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id,
    session_id,
    created_at,
    distinct_id,
    property.1 AS `properties.key`,
    property.2 AS `properties.data_type`,
    property.3 AS `properties.string_value`,
    property.4 AS `properties.number_value`,
    property.5 AS `properties.date_value`
FROM
(
    SELECT
        website_id,
        session_id,
        created_at,
        distinct_id,
        arraySort(p -> (p.1, p.2, p.3), arrayZip(
            `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`)) AS property
    FROM ingest_session_data
);

-- Everything that has a session's id, by session: one row per event of any kind, and one per identify call (event_type
-- 0). A look-up of a session has no range, so the table has no partitions. The projection finds sessions by distinct
-- id.
CREATE TABLE IF NOT EXISTS session_events
(
    website_id      LowCardinality(UUID),
    session_id      UUID,
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    event_id        UUID CODEC(NONE),
    visit_id        UUID,
    event_type      UInt8,
    event_name      LowCardinality(String),
    has_data        UInt8,
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
    referrer_domain LowCardinality(String),
    distinct_id     String CODEC(ZSTD(1)),

    PROJECTION by_distinct_id
    (
        SELECT website_id, distinct_id, session_id, created_at ORDER BY website_id, distinct_id, session_id
    )
)
ENGINE = MergeTree
ORDER BY (website_id, session_id, created_at, event_id)
PRIMARY KEY (website_id, session_id, created_at)
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_events_from_events TO session_events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, session_id, created_at, event_id, visit_id, event_type, event_name, has_data,
    hostname, browser, os, device, screen, language, country, region, city,
    url_path, url_query, referrer_domain, distinct_id
FROM events;

CREATE MATERIALIZED VIEW IF NOT EXISTS session_events_from_session_data TO session_events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, session_id, created_at, toUUID('00000000-0000-0000-0000-000000000000') AS event_id,
    toUUID('00000000-0000-0000-0000-000000000000') AS visit_id, 0 AS event_type, '' AS event_name, 0 AS has_data,
    '' AS hostname, '' AS browser, '' AS os, '' AS device, '' AS screen, '' AS language,
    '' AS country, '' AS region, '' AS city, '' AS url_path, '' AS url_query, '' AS referrer_domain, distinct_id
FROM session_data;
