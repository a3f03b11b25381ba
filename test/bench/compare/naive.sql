-- The usual layout of self-hosted analytics on ClickHouse, used as the baseline for Weir's storage. The same
-- statements fill it, through a table of the same name, so it has the same events.

CREATE TABLE IF NOT EXISTS ingest
(
    website_id UUID, session_id UUID, visit_id UUID, event_id UUID,
    created_at DateTime64(3, 'UTC'), event_type UInt8, event_name String,
    hostname String, browser String, os String, device String, screen String, language String,
    country String, region String, city String,
    url_path String, url_query String,
    utm_source String, utm_medium String, utm_campaign String, utm_content String, utm_term String,
    referrer_path String, referrer_query String, referrer_domain String,
    page_title String, tag String, distinct_id String,
    gclid String, fbclid String, msclkid String, ttclid String, li_fat_id String, twclid String,
    lcp Nullable(Float64), inp Nullable(Float64), cls Nullable(Float64), fcp Nullable(Float64), ttfb Nullable(Float64),
    properties Nested(key String, data_type UInt8, string_value String,
        number_value Nullable(Decimal(22, 4)), date_value Nullable(DateTime64(3, 'UTC')))
)
ENGINE = Null;

-- The hour comes first in the key; each projection stores another copy of every column.
CREATE TABLE IF NOT EXISTS events
(
    website_id UUID, session_id UUID, visit_id UUID, event_id UUID,
    created_at DateTime64(3, 'UTC'), event_type UInt32, event_name String,
    hostname LowCardinality(String), browser LowCardinality(String), os LowCardinality(String),
    device LowCardinality(String), screen LowCardinality(String), language LowCardinality(String),
    country LowCardinality(String), region LowCardinality(String), city String,
    url_path String, url_query String,
    utm_source String, utm_medium String, utm_campaign String, utm_content String, utm_term String,
    referrer_path String, referrer_query String, referrer_domain String,
    page_title String, tag String, distinct_id String,
    gclid String, fbclid String, msclkid String, ttclid String, li_fat_id String, twclid String,
    lcp Nullable(Float64), inp Nullable(Float64), cls Nullable(Float64), fcp Nullable(Float64), ttfb Nullable(Float64),
    PROJECTION by_path (SELECT * ORDER BY toStartOfDay(created_at), website_id, url_path, created_at),
    PROJECTION by_referrer (SELECT * ORDER BY toStartOfDay(created_at), website_id, referrer_domain, created_at)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (toStartOfHour(created_at), website_id, session_id, visit_id, created_at)
PRIMARY KEY (toStartOfHour(created_at), website_id, session_id, visit_id)
-- Merges a month's parts into one after an hour without inserts, like Weir's tables.
SETTINGS min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- The key does not contain the time, so every range reads all rows of the website.
CREATE TABLE IF NOT EXISTS event_data
(
    website_id UUID, session_id UUID, event_id UUID, url_path String, event_name String,
    data_key String, string_value Nullable(String),
    number_value Nullable(Decimal(22, 4)), date_value Nullable(DateTime64(3, 'UTC')),
    data_type UInt32, created_at DateTime64(3, 'UTC')
)
ENGINE = MergeTree
ORDER BY (website_id, event_id, data_key, created_at);

-- One row for each visit and hour, and another for each change of its values. It answers questions without a path,
-- title, query, event or property.
CREATE TABLE IF NOT EXISTS visit_hours
(
    website_id UUID, event_type UInt32, hour DateTime('UTC'), visit_id UUID, session_id UUID,
    hostname LowCardinality(String), browser LowCardinality(String), os LowCardinality(String),
    device LowCardinality(String), screen LowCardinality(String), language LowCardinality(String),
    country LowCardinality(String), region LowCardinality(String), city String, tag String, distinct_id String,
    utm_source String, utm_medium String, utm_campaign String, utm_content String, utm_term String,
    referrer_domain String,
    entry_page AggregateFunction(argMin, String, DateTime64(3, 'UTC')),
    exit_page AggregateFunction(argMax, String, DateTime64(3, 'UTC')),
    views SimpleAggregateFunction(sum, UInt64), events SimpleAggregateFunction(sum, UInt64),
    first_at SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (
    website_id, event_type, hour, cityHash64(visit_id), visit_id, session_id, hostname, browser, os, device, screen,
    language, country, region, city, tag, distinct_id, utm_source, utm_medium, utm_campaign, utm_content, utm_term,
    referrer_domain
)
PRIMARY KEY (website_id, event_type, hour, cityHash64(visit_id))
SETTINGS min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS visit_hours_from_ingest TO visit_hours AS
SELECT
    website_id, event_type, toStartOfHour(created_at) AS hour, visit_id, session_id, hostname, browser, os, device,
    screen, language, country, region, city, tag, distinct_id, utm_source, utm_medium, utm_campaign, utm_content,
    utm_term, referrer_domain,
    argMinState(url_path, created_at) AS entry_page, argMaxState(url_path, created_at) AS exit_page,
    countIf(event_type IN (1, 3, 4)) AS views, countIf(event_type = 2) AS events,
    min(created_at) AS first_at, max(created_at) AS last_at
FROM ingest
GROUP BY
    website_id, event_type, hour, visit_id, session_id, hostname, browser, os, device, screen, language, country,
    region, city, tag, distinct_id, utm_source, utm_medium, utm_campaign, utm_content, utm_term, referrer_domain;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_from_ingest TO events AS
SELECT
    * EXCEPT (`properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`,
    `properties.date_value`)
FROM ingest;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_data_from_ingest TO event_data AS
SELECT website_id, session_id, event_id, url_path, event_name, data_key, string_value, number_value, date_value,
    data_type, created_at
FROM ingest
ARRAY JOIN `properties.key` AS data_key, `properties.data_type` AS data_type, `properties.string_value` AS string_value,
    `properties.number_value` AS number_value, `properties.date_value` AS date_value;

-- Properties of identify calls, by key. Only the latest row per session and key is valid, so queries use FINAL.
CREATE TABLE IF NOT EXISTS ingest_session_data
(
    website_id UUID, session_id UUID, distinct_id String, created_at DateTime64(3, 'UTC'),
    properties Nested(key String, data_type UInt8, string_value String,
        number_value Nullable(Decimal(22, 4)), date_value Nullable(DateTime64(3, 'UTC')))
)
ENGINE = Null;

CREATE TABLE IF NOT EXISTS session_data
(
    website_id UUID, session_id UUID, data_key String, string_value Nullable(String),
    number_value Nullable(Decimal(22, 4)), date_value Nullable(DateTime64(3, 'UTC')),
    data_type UInt32, distinct_id String, created_at DateTime64(3, 'UTC')
)
ENGINE = ReplacingMergeTree(created_at)
ORDER BY (website_id, session_id, data_key);

CREATE MATERIALIZED VIEW IF NOT EXISTS session_data_from_ingest TO session_data AS
SELECT website_id, session_id, data_key, string_value, number_value, date_value, data_type, distinct_id, created_at
FROM ingest_session_data
ARRAY JOIN `properties.key` AS data_key, `properties.data_type` AS data_type, `properties.string_value` AS string_value,
    `properties.number_value` AS number_value, `properties.date_value` AS date_value;

-- One row per sale, ordered by time.
CREATE TABLE IF NOT EXISTS revenue
(
    website_id UUID, session_id UUID, visit_id UUID, event_id UUID, event_name String, currency String,
    revenue Decimal(18, 4), created_at DateTime64(3, 'UTC')
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, created_at);

CREATE MATERIALIZED VIEW IF NOT EXISTS revenue_from_ingest TO revenue AS
SELECT
    website_id, session_id, visit_id, event_id, event_name,
    upper(`properties.string_value`[indexOf(`properties.key`, 'currency')]) AS currency,
    assumeNotNull(`properties.number_value`[indexOf(`properties.key`, 'revenue')]) AS revenue, created_at
FROM ingest
WHERE has(`properties.key`, 'currency') AND has(`properties.key`, 'revenue');
