-- Made by npm run cluster: do not change it here.

-- One row a day and visit, with the visitor's columns: of its views (kind 1: pages, links, pixels) or of its custom
-- events (kind 2). A visit with several browsers, cities … has a row for each. Statements put the rows of a visit
-- together: the least `first_at`, the greatest `last_at`, the sum of `events`. `landing` and `leaving` are the paths of
-- the first and the last view, behind 24 bytes that sort as events do: the milliseconds, then the id as ClickHouse
-- orders ids. Within a month, rows of one browser and country are adjacent.
CREATE TABLE IF NOT EXISTS weir_shard.daily_visits ON CLUSTER '{cluster}'
(
    website_id LowCardinality(UUID),
    kind       UInt8,
    day        Date32 CODEC(Delta(4), LZ4),
    browser    LowCardinality(String),
    os         LowCardinality(String),
    device     LowCardinality(String),
    country    LowCardinality(String),
    region     LowCardinality(String),
    city       LowCardinality(String),
    language   LowCardinality(String),
    screen     LowCardinality(String),
    session_id UUID,
    visit_id   UUID,
    events     SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
    first_at   SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_at    SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    landing    SimpleAggregateFunction(min, String) CODEC(ZSTD(1)),
    leaving    SimpleAggregateFunction(max, String) CODEC(ZSTD(1))
)
ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(day)
ORDER BY (website_id, kind, browser, country, os, device, day, region, city, language, screen, session_id, visit_id)
PRIMARY KEY (website_id, kind, browser, country, os, device, day)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.daily_visits ON CLUSTER '{cluster}' AS weir_shard.daily_visits
ENGINE = Distributed('{cluster}', 'weir_shard', 'daily_visits', cityHash64(session_id));

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.daily_visits_from_events ON CLUSTER '{cluster}' TO weir_shard.daily_visits DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, if(event_type = 2, 2, 1) AS kind, toDate32(created_at) AS day,
    browser, os, device, country, region, city, language, screen, session_id, visit_id,
    count() AS events, min(created_at) AS first_at, max(created_at) AS last_at,
    min(place) AS landing, max(place) AS leaving
FROM
(
    SELECT
        website_id, created_at, event_type, browser, os, device, country, region, city, language, screen,
        session_id, visit_id,
        if(event_type = 2, '', concat(
            reinterpretAsFixedString(byteSwap(toUInt64(toUnixTimestamp64Milli(created_at)))),
            reinterpretAsFixedString(byteSwap(reinterpretAsUInt128(event_id))),
            url_path)) AS place
    FROM weir_shard.events
    WHERE event_type != 5
)
GROUP BY
    website_id, kind, day, browser, os, device, country, region, city, language, screen,
    session_id, visit_id;

INSERT INTO weir.migrations (name, checksum) VALUES ('0009_daily_visits.sql', '1c6c9bff985884cc535290903465582bf52986a2f5eb86bdbb6473eb450b7d81');
