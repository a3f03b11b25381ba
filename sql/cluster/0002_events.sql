-- Made by npm run cluster: do not change it here.

-- One row per event, with all its columns. A page of the newest rows reads the key backwards and stops early. A range
-- reads only its own granules. `packed` stores all columns of a page, except ids and times, as one: a page then opens
-- a few files of each part instead of nineteen.
CREATE TABLE IF NOT EXISTS weir_shard.events ON CLUSTER '{cluster}'
(
    website_id      LowCardinality(UUID),
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    event_id        UUID CODEC(NONE),
    session_id      UUID,
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
    utm_source      LowCardinality(String),
    utm_medium      LowCardinality(String),
    utm_campaign    LowCardinality(String),
    utm_content     LowCardinality(String),
    utm_term        LowCardinality(String),
    referrer_path   String CODEC(ZSTD(1)),
    referrer_query  String CODEC(ZSTD(1)),
    referrer_domain LowCardinality(String),
    page_title      LowCardinality(String),
    tag             LowCardinality(String),
    distinct_id     String CODEC(ZSTD(1)),
    gclid           String CODEC(ZSTD(1)),
    fbclid          String CODEC(ZSTD(1)),
    msclkid         String CODEC(ZSTD(1)),
    ttclid          String CODEC(ZSTD(1)),
    li_fat_id       String CODEC(ZSTD(1)),
    twclid          String CODEC(ZSTD(1)),
    lcp             Nullable(Float64) CODEC(ZSTD(1)),
    inp             Nullable(Float64) CODEC(ZSTD(1)),
    cls             Nullable(Float64) CODEC(ZSTD(1)),
    fcp             Nullable(Float64) CODEC(ZSTD(1)),
    ttfb            Nullable(Float64) CODEC(ZSTD(1)),
    packed          Array(String) DEFAULT [
        hostname, url_path, url_query, referrer_path, referrer_query, referrer_domain, country, city, device, os, browser,
        page_title, event_name, toString(has_data)
    ] CODEC(ZSTD(3))
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, created_at, event_id)
SETTINGS index_granularity = 1024,
    -- Merges a month's parts into one after an hour without inserts.
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    -- ClickHouse ignores a repeated insert, which it recognises by its token or its rows, within so many blocks.
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.events ON CLUSTER '{cluster}' AS weir_shard.events
ENGINE = Distributed('{cluster}', 'weir_shard', 'events', cityHash64(session_id));

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.events_from_ingest ON CLUSTER '{cluster}' TO weir_shard.events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    * EXCEPT (`properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`),
    notEmpty(`properties.key`) AS has_data
FROM weir_shard.ingest;

INSERT INTO weir.migrations (name, checksum) VALUES ('0002_events.sql', 'a0754b2a88137eab292ce6253d101cb0d06c8c290603119a8fa122b65093eb52');
