-- Series of a property's values read one row a property, in place of the arrays of all properties. For that, a row says
-- whether its event has the same value of the property before it (`is_repeat`; texts and booleans are alike), and
-- whether its number or date is missing (`is_void`). Rows of before this file say neither: `rebuild event_data` mends
-- the few of which it is true.
ALTER TABLE event_data ADD COLUMN IF NOT EXISTS is_repeat UInt8;

ALTER TABLE event_data ADD COLUMN IF NOT EXISTS is_void UInt8;

DROP VIEW IF EXISTS event_data_from_custom_events SYNC;

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
