-- Custom events (type 2) and events with properties; the properties are parallel arrays, sorted by key.
-- `shape` is the JSON text [event name, [keys], [data types]]; it is empty for an event without properties. It has
-- few distinct values, so counts of names and properties group by this one column. It contains only valid UTF-8:
-- ClickHouse cannot parse other JSON. `properties.value` is the text of a value as the API answers it: shortest
-- decimals, dates in UTC to the second.
CREATE TABLE IF NOT EXISTS custom_events
(
    website_id      LowCardinality(UUID),
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    event_id        UUID CODEC(NONE),
    session_id      UUID,
    visit_id        UUID,
    event_type      UInt8,
    event_name      LowCardinality(String),
    shape           LowCardinality(String),
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
    distinct_id     String CODEC(ZSTD(1)),
    properties      Nested
    (
        key          LowCardinality(String),
        data_type    UInt8,
        string_value String,
        number_value Nullable(Decimal(22, 4)),
        date_value   Nullable(DateTime64(3, 'UTC'))
    ) CODEC(ZSTD(1)),
    has_data        UInt8 ALIAS notEmpty(`properties.key`),
    `properties.value` Array(String) ALIAS arrayMap(
        (type, string, number, date) -> multiIf(
            type = 2 AND isNotNull(number), toString(assumeNotNull(number)),
            type = 4 AND isNotNull(date), formatDateTime(assumeNotNull(date), '%Y-%m-%dT%H:%i:%SZ', 'UTC'),
            string),
        `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, created_at, event_id)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS custom_events_from_ingest TO custom_events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    * EXCEPT (property),
    if(empty(property), '', toJSONString((
        toValidUTF8(event_name),
        arrayMap(p -> toValidUTF8(p.1), property),
        property.2))) AS shape,
    property.1 AS `properties.key`,
    property.2 AS `properties.data_type`,
    property.3 AS `properties.string_value`,
    property.4 AS `properties.number_value`,
    property.5 AS `properties.date_value`
FROM
(
    SELECT
        * EXCEPT (referrer_path, referrer_query, gclid, fbclid, msclkid, ttclid, li_fat_id, twclid, lcp, inp, cls, fcp, ttfb,
            `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`),
        arraySort(p -> (p.1, p.2, p.3), arrayZip(
            `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`)) AS property
    FROM ingest
    WHERE event_type = 2 OR notEmpty(`properties.key`)
);

-- One row per property, with those columns of its event by which requests for values filter. Counts of values read
-- the rows of one key, without a join. A filter on any other column unfolds custom_events instead.
CREATE TABLE IF NOT EXISTS event_data
(
    website_id LowCardinality(UUID),
    event_name LowCardinality(String),
    data_key   LowCardinality(String),
    created_at DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    data_type  UInt8,
    -- Counts read millions of values, and LZ4 decompresses in half the time of ZSTD.
    value      String CODEC(LZ4),
    event_type UInt8,
    hostname   LowCardinality(String),
    browser    LowCardinality(String),
    os         LowCardinality(String),
    device     LowCardinality(String),
    country    LowCardinality(String),
    url_path   LowCardinality(String),
    -- Whether the event has the same value of the property before it. Texts and booleans are alike.
    is_repeat  UInt8,
    -- Whether the number or the date is missing.
    is_void    UInt8
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, event_name, data_key, created_at)
SETTINGS index_granularity = 1024,
    -- A day's values are scattered, a few rows per key. Small blocks decompress less data around them.
    min_compress_block_size = 16384, max_compress_block_size = 32768,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_data_from_custom_events TO event_data DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, event_name, data_key, created_at, data_type, value, event_type, hostname, browser, os, device, country, url_path,
    is_repeat, is_void
FROM custom_events
ARRAY JOIN
    `properties.key` AS data_key,
    `properties.data_type` AS data_type,
    `properties.value` AS value,
    arrayMap(place -> place > 1, arrayEnumerateUniq(
        `properties.key`, arrayMap(type -> if(type = 3, 1, type), `properties.data_type`), `properties.value`)) AS is_repeat,
    arrayMap(
        (type, number, date) -> (type = 2 AND isNull(number)) OR (type = 4 AND isNull(date)),
        `properties.data_type`, `properties.number_value`, `properties.date_value`) AS is_void;

-- The properties of one event by its id. This look-up has no time range, so the table is ordered by the id.
-- `packed` contains the whole answer in one column. Its texts are session, event name and path, then five for each
-- property: key, data type, text, number, and date in milliseconds since 1970. A missing number or date is empty.
CREATE TABLE IF NOT EXISTS event_data_by_id
(
    website_id LowCardinality(UUID),
    event_id   UUID CODEC(NONE),
    created_at DateTime64(3, 'UTC'),
    packed     Array(String) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (website_id, event_id)
SETTINGS index_granularity = 512, non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_data_by_id_from_custom_events TO event_data_by_id DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, event_id, created_at,
    arrayConcat([toString(session_id), event_name, url_path], arrayFlatten(arrayMap(
        (key, type, string, number, date) -> [
            key, toString(type), string, ifNull(toString(number), ''), ifNull(toString(toUnixTimestamp64Milli(date)), '')],
        `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`))) AS packed
FROM custom_events
WHERE notEmpty(`properties.key`);
