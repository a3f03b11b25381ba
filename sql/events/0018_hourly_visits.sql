DROP VIEW IF EXISTS hourly_visits_from_events SYNC;

DROP TABLE IF EXISTS hourly_visits SYNC;

-- Visits by hour, in place of visits by day: ranges and time zones of whole hours need no event. An interrupted run of
-- this file may have left a table that is filled in part, so the statements above let the next run begin again.
--
-- One row an hour and visit, with the visitor's columns: of its views (kind 1: pages, links, pixels) or of its custom
-- events (kind 2). A visit with several browsers, cities … has a row for each. Statements put the rows of a visit
-- together: the least `first_at`, the greatest `last_at`, the sum of `events`. `landing` and `leaving` are texts of the
-- first and the last view, behind 24 bytes that sort as events do: the milliseconds, then the id as ClickHouse orders
-- ids. The text of `landing` is the channel, a zero byte and the path; that of `leaving` is the path. `referrers` counts
-- views by their foreign referrer. Within a day, rows of one browser and country are adjacent.
CREATE TABLE IF NOT EXISTS hourly_visits
(
    website_id LowCardinality(UUID),
    kind       UInt8,
    hour       DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
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
    leaving    SimpleAggregateFunction(max, String) CODEC(ZSTD(1)),
    referrers  SimpleAggregateFunction(sumMap, Map(String, UInt64)) CODEC(ZSTD(1))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (
    website_id, kind, toDate32(hour), browser, country, os, device, hour, region, city, language, screen, session_id,
    visit_id
)
PRIMARY KEY (website_id, kind, toDate32(hour), browser, country, os, device)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

-- What is stored already, a row an event: merges put the rows of an hour together. The view below holds the same
-- expressions.
INSERT INTO hourly_visits
SELECT
    website_id, if(event_type = 2, 2, 1) AS kind,
    created_at - toIntervalMillisecond(positiveModulo(toUnixTimestamp64Milli(created_at), 3600000)) AS hour,
    browser, os, device, country, region, city, language, screen, session_id, visit_id,
    toUInt64(1) AS events, created_at AS first_at, created_at AS last_at,
    if(kind = 2, '', concat(place, channel, '\0', url_path)) AS landing,
    if(kind = 2, '', concat(place, url_path)) AS leaving,
    if(referrer = '', CAST(map(), 'Map(String, UInt64)'), map(referrer, toUInt64(1))) AS referrers
FROM
(
    SELECT
        website_id, created_at, event_type, browser, os, device, country, region, city, language, screen, session_id,
        visit_id, url_path, channel,
        concat(
            reinterpretAsFixedString(byteSwap(toUInt64(toUnixTimestamp64Milli(created_at)))),
            reinterpretAsFixedString(byteSwap(reinterpretAsUInt128(event_id)))) AS place,
        if(event_type != 2 AND (hostname = '' OR referrer_domain != hostname
            AND referrer_domain != if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname)),
            toString(referrer_domain), '') AS referrer
    FROM events
    WHERE event_type != 5
);

CREATE MATERIALIZED VIEW IF NOT EXISTS hourly_visits_from_events TO hourly_visits DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, if(event_type = 2, 2, 1) AS kind,
    created_at - toIntervalMillisecond(positiveModulo(toUnixTimestamp64Milli(created_at), 3600000)) AS hour,
    browser, os, device, country, region, city, language, screen, session_id, visit_id,
    count() AS events, min(created_at) AS first_at, max(created_at) AS last_at,
    min(if(kind = 2, '', concat(place, channel, '\0', url_path))) AS landing,
    max(if(kind = 2, '', concat(place, url_path))) AS leaving,
    sumMapIf(map(referrer, toUInt64(1)), referrer != '') AS referrers
FROM
(
    SELECT
        website_id, created_at, event_type, browser, os, device, country, region, city, language, screen, session_id,
        visit_id, url_path, channel,
        concat(
            reinterpretAsFixedString(byteSwap(toUInt64(toUnixTimestamp64Milli(created_at)))),
            reinterpretAsFixedString(byteSwap(reinterpretAsUInt128(event_id)))) AS place,
        if(event_type != 2 AND (hostname = '' OR referrer_domain != hostname
            AND referrer_domain != if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname)),
            toString(referrer_domain), '') AS referrer
    FROM events
    WHERE event_type != 5
)
GROUP BY
    website_id, kind, hour, browser, os, device, country, region, city, language, screen, session_id, visit_id;

DROP VIEW IF EXISTS daily_visits_from_events SYNC;

DROP TABLE IF EXISTS daily_visits SYNC;
