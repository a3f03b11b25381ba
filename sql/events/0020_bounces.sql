DROP VIEW IF EXISTS hourly_visits_from_events;

DROP TABLE IF EXISTS hourly_visits;

-- A bounce is a visit of one view and no custom event. So rows of kind 1 of `hourly_visits` also count the custom events
-- of their visit, hour and client: `customs`. An hour with custom events alone has such a row, too: `events` is 0, and
-- the other columns are what changes no least and no greatest value of the visit. Questions about views leave it out.
-- Rows of kind 2 are as before, with `customs` 0. 0009_hourly_visits.sql says the rest.
--
-- The table is made anew from the events. An interrupted run begins again.
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
    customs    SimpleAggregateFunction(sum, UInt64) CODEC(T64, LZ4),
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

INSERT INTO hourly_visits (
    website_id, kind, hour, browser, os, device, country, region, city, language, screen, session_id, visit_id, events,
    customs, first_at, last_at, landing, leaving, referrers)
SELECT
    website_id, kind,
    created_at - toIntervalMillisecond(positiveModulo(toUnixTimestamp64Milli(created_at), 3600000)) AS hour,
    browser, os, device, country, region, city, language, screen, session_id, visit_id,
    countIf(isOfKind) AS events, countIf(event_type = 2 AND kind = 1) AS customs,
    min(if(isOfKind, created_at, toDateTime64('2299-12-31 23:59:59.999', 3, 'UTC'))) AS first_at,
    max(if(isOfKind, created_at, toDateTime64('1970-01-01 00:00:00.000', 3, 'UTC'))) AS last_at,
    min(multiIf(kind = 2, '', isOfKind, concat(place, channel, '\0', url_path), '~')) AS landing,
    max(if(kind = 1 AND isOfKind, concat(place, url_path), '')) AS leaving,
    sumMapIf(map(referrer, toUInt64(1)), referrer != '') AS referrers
FROM
(
    SELECT
        website_id, created_at, event_type, browser, os, device, country, region, city, language, screen, session_id,
        visit_id, url_path, channel, arrayJoin(if(event_type = 2, [1, 2], [1])) AS kind,
        (event_type = 2) = (kind = 2) AS isOfKind,
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

CREATE MATERIALIZED VIEW IF NOT EXISTS hourly_visits_from_events TO hourly_visits DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, kind,
    created_at - toIntervalMillisecond(positiveModulo(toUnixTimestamp64Milli(created_at), 3600000)) AS hour,
    browser, os, device, country, region, city, language, screen, session_id, visit_id,
    countIf(isOfKind) AS events, countIf(event_type = 2 AND kind = 1) AS customs,
    min(if(isOfKind, created_at, toDateTime64('2299-12-31 23:59:59.999', 3, 'UTC'))) AS first_at,
    max(if(isOfKind, created_at, toDateTime64('1970-01-01 00:00:00.000', 3, 'UTC'))) AS last_at,
    min(multiIf(kind = 2, '', isOfKind, concat(place, channel, '\0', url_path), '~')) AS landing,
    max(if(kind = 1 AND isOfKind, concat(place, url_path), '')) AS leaving,
    sumMapIf(map(referrer, toUInt64(1)), referrer != '') AS referrers
FROM
(
    SELECT
        website_id, created_at, event_type, browser, os, device, country, region, city, language, screen, session_id,
        visit_id, url_path, channel, arrayJoin(if(event_type = 2, [1, 2], [1])) AS kind,
        (event_type = 2) = (kind = 2) AS isOfKind,
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

-- In chains, `lone` is 1 in the first row of a visit in an hour in which it has one view and no custom event; else 0.
-- `lone_before` is the visit's hour of actions before the one before, if that was such an hour; else the greatest number.
-- In `chained_days`, rows of the field `bounces` are all rows of hours, with the days before of their visits' actions.
-- There, `visit_views` is `lone`; elsewhere it is 0.
ALTER TABLE chained_hours ADD COLUMN IF NOT EXISTS lone UInt8 CODEC(T64, LZ4) AFTER spent;

DROP TABLE IF EXISTS seals;

-- Without notes, no rows of before count. `weir seal` makes all of them anew.
CREATE TABLE IF NOT EXISTS seals
(
    website_id LowCardinality(UUID),
    day        Date32,
    shard      LowCardinality(String),
    seal       UInt64,
    began      UInt64,
    done       UInt64,
    views      Array(UInt64),
    customs    Array(UInt64),
    changed    UInt8
)
ENGINE = ReplacingMergeTree(seal)
ORDER BY (website_id, day)
SETTINGS index_granularity = 1024;
