-- Made by npm run cluster: do not change it here.

-- Custom events (type 2) and events with properties; the properties are parallel arrays, sorted by key.
-- `shape` is the JSON text [event name, [keys], [data types]]; it is empty for an event without properties. It has
-- few distinct values, so counts of names and properties group by this one column. It contains only valid UTF-8:
-- ClickHouse cannot parse other JSON. `properties.value` is the text of a value as the API answers it: shortest
-- decimals, dates in UTC to the second.
CREATE TABLE IF NOT EXISTS weir_shard.custom_events ON CLUSTER '{cluster}'
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
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, created_at, event_id)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.custom_events ON CLUSTER '{cluster}' AS weir_shard.custom_events
ENGINE = Distributed('{cluster}', 'weir_shard', 'custom_events', cityHash64(session_id));

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.custom_events_from_ingest ON CLUSTER '{cluster}' TO weir_shard.custom_events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
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
    FROM weir_shard.ingest
    WHERE event_type = 2 OR notEmpty(`properties.key`)
);

INSERT INTO weir.migrations (name, checksum) VALUES ('0003_custom_events.sql', '9b12c6698fcbf02045e9be0cb0ead33dfb6b655464699c854f72db3dec3ccc79');
