-- One row per web vital (event type 5). They are few, and lie scattered among the other events: without this table, a
-- report on them would read a column of every event. The table has every column that a filter needs.
CREATE TABLE IF NOT EXISTS web_vitals
(
    website_id      LowCardinality(UUID),
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    event_id        UUID CODEC(NONE),
    session_id      UUID,
    visit_id        UUID,
    event_type      UInt8,
    event_name      LowCardinality(String),
    hostname        LowCardinality(String),
    browser         LowCardinality(String),
    os              LowCardinality(String),
    device          LowCardinality(String),
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
    distinct_id     String CODEC(ZSTD(1)),
    lcp             Nullable(Float64) CODEC(ZSTD(1)),
    inp             Nullable(Float64) CODEC(ZSTD(1)),
    cls             Nullable(Float64) CODEC(ZSTD(1)),
    fcp             Nullable(Float64) CODEC(ZSTD(1)),
    ttfb            Nullable(Float64) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, created_at, event_id)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS web_vitals_from_events TO web_vitals DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, created_at, event_id, session_id, visit_id, event_type, event_name,
    hostname, browser, os, device, language, country, region, city, url_path, url_query,
    utm_source, utm_medium, utm_campaign, utm_content, utm_term, referrer_domain, page_title, tag, distinct_id,
    lcp, inp, cls, fcp, ttfb
FROM events
WHERE event_type = 5;
