-- The properties of one event by its id: a lookup without a time range, so it has a table ordered by the id.
-- Derived from custom_events: `npm run weir -- rebuild` refills it.
CREATE TABLE IF NOT EXISTS event_data_by_id
(
    website_id LowCardinality(UUID),
    event_id   UUID CODEC(NONE),
    created_at DateTime64(3, 'UTC'),
    session_id UUID,
    event_name LowCardinality(String),
    url_path   LowCardinality(String),
    properties Nested
    (
        key          LowCardinality(String),
        data_type    UInt8,
        string_value String,
        number_value Nullable(Decimal(22, 4)),
        date_value   Nullable(DateTime64(3, 'UTC'))
    ) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (website_id, event_id)
SETTINGS index_granularity = 512;

CREATE MATERIALIZED VIEW IF NOT EXISTS event_data_by_id_from_custom_events TO event_data_by_id AS
SELECT
    website_id, event_id, created_at, session_id, event_name, url_path,
    `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`
FROM custom_events
WHERE notEmpty(`properties.key`);
