-- Everything that has a session's id, by session: one row per event of any kind, and one per identify call (event_type
-- 0). A look-up of a session has no range, so the table has no partitions. The projection finds sessions by distinct id.
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
