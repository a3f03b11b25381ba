-- One row per hour and visit, with the visitor's columns. Kind 1 holds its views (pages, links, pixels), kind 2 its
-- custom events. A visit with several browsers, cities … has a row for each. Statements merge the rows of a visit: the
-- least `first_at`, the greatest `last_at`, the sum of `events`. `landing` and `leaving` describe the first and the
-- last view. They begin with 24 bytes that sort as events do: the milliseconds, then the id as ClickHouse orders ids.
-- Then `landing` has the channel, a zero byte and the path; `leaving` has the path. `referrers` counts views by their
-- foreign referrer. Within a day, rows of one browser and country are adjacent.
--
-- A bounce is a visit of one view and no custom event. So rows of kind 1 also count the custom events of their visit,
-- hour and client: `customs`. An hour with custom events alone has such a row, too: `events` is 0, and the other
-- columns have values that change no least and no greatest value of the visit. Questions about views leave it out. In
-- rows of kind 2, `customs` is 0.
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
    WHERE event_type < 5
)
GROUP BY
    website_id, kind, hour, browser, os, device, country, region, city, language, screen, session_id, visit_id;
