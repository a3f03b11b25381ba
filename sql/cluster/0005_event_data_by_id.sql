-- Made by npm run cluster: do not change it here.

-- The properties of one event by its id. This look-up has no time range, so the table is ordered by the id.
-- `packed` contains the whole answer in one column. Its texts are session, event name and path, then five for each
-- property: key, data type, text, number, and date in milliseconds since 1970. A missing number or date is empty.
CREATE TABLE IF NOT EXISTS weir_shard.event_data_by_id ON CLUSTER '{cluster}'
(
    website_id LowCardinality(UUID),
    event_id   UUID CODEC(NONE),
    created_at DateTime64(3, 'UTC'),
    packed     Array(String) CODEC(ZSTD(1))
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}')
ORDER BY (website_id, event_id)
SETTINGS index_granularity = 512, replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.event_data_by_id ON CLUSTER '{cluster}' AS weir_shard.event_data_by_id
ENGINE = Distributed('{cluster}', 'weir_shard', 'event_data_by_id');

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.event_data_by_id_from_custom_events ON CLUSTER '{cluster}' TO weir_shard.event_data_by_id DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, event_id, created_at,
    arrayConcat([toString(session_id), event_name, url_path], arrayFlatten(arrayMap(
        (key, type, string, number, date) -> [
            key, toString(type), string, ifNull(toString(number), ''), ifNull(toString(toUnixTimestamp64Milli(date)), '')],
        `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`))) AS packed
FROM weir_shard.custom_events
WHERE notEmpty(`properties.key`);

INSERT INTO weir.migrations (name, checksum) VALUES ('0005_event_data_by_id.sql', '5a6f88968fb37a620d144058188eb7281c6e4b0b7830f1203314e285e1d58601');
