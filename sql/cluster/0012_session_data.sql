-- Made by npm run cluster: do not change it here.

-- Every identify call: one row each, with its properties as parallel arrays, sorted by key.
CREATE TABLE IF NOT EXISTS weir_shard.session_data ON CLUSTER '{cluster}'
(
    website_id      LowCardinality(UUID),
    session_id      UUID,
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    distinct_id     String CODEC(ZSTD(1)),
    properties      Nested
    (
        key          LowCardinality(String),
        data_type    UInt8,
        string_value String,
        number_value Nullable(Decimal(22, 4)),
        date_value   Nullable(DateTime64(3, 'UTC'))
    ) CODEC(ZSTD(1))
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, session_id, created_at)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.session_data ON CLUSTER '{cluster}' AS weir_shard.session_data
ENGINE = Distributed('{cluster}', 'weir_shard', 'session_data', cityHash64(session_id));

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.session_data_from_ingest_session_data ON CLUSTER '{cluster}' TO weir_shard.session_data DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id,
    session_id,
    created_at,
    distinct_id,
    property.1 AS `properties.key`,
    property.2 AS `properties.data_type`,
    property.3 AS `properties.string_value`,
    property.4 AS `properties.number_value`,
    property.5 AS `properties.date_value`
FROM
(
    SELECT
        website_id,
        session_id,
        created_at,
        distinct_id,
        arraySort(p -> (p.1, p.2, p.3), arrayZip(
            `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`)) AS property
    FROM weir_shard.ingest_session_data
);

INSERT INTO weir.migrations (name, checksum) VALUES ('0012_session_data.sql', 'd2fc4f524a522cf380ab699cb57949bc34feeb4ae49ce0dc9bf066a9a19a65b3');
