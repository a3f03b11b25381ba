-- What a look-up by event id answers, in one column: it opens files of four columns in place of fifteen. The texts are session, event name
-- and path, then five for each property: key, data type, text, number, and date in milliseconds since 1970; a number or a date that is
-- not there is empty. The table holds nothing of its own, so it is made anew from custom_events.
DROP VIEW IF EXISTS event_data_by_id_from_custom_events;

DROP TABLE IF EXISTS event_data_by_id;

CREATE TABLE event_data_by_id
(
    website_id LowCardinality(UUID),
    event_id   UUID CODEC(NONE),
    created_at DateTime64(3, 'UTC'),
    shown      Array(String) CODEC(ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (website_id, event_id)
SETTINGS index_granularity = 512;

INSERT INTO event_data_by_id
SELECT
    website_id, event_id, created_at,
    arrayConcat([toString(session_id), event_name, url_path], arrayFlatten(arrayMap(
        (key, type, string, number, date) -> [
            key, toString(type), string, ifNull(toString(number), ''), ifNull(toString(toUnixTimestamp64Milli(date)), '')],
        `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`))) AS shown
FROM custom_events
WHERE notEmpty(`properties.key`);

CREATE MATERIALIZED VIEW event_data_by_id_from_custom_events TO event_data_by_id DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, event_id, created_at,
    arrayConcat([toString(session_id), event_name, url_path], arrayFlatten(arrayMap(
        (key, type, string, number, date) -> [
            key, toString(type), string, ifNull(toString(number), ''), ifNull(toString(toUnixTimestamp64Milli(date)), '')],
        `properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`))) AS shown
FROM custom_events
WHERE notEmpty(`properties.key`);
