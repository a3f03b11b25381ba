-- Made by npm run cluster: do not change it here.

-- Series of a property's values read one row a property, in place of the arrays of all properties. For that, a row says
-- whether its event has the same value of the property before it (`is_repeat`; texts and booleans are alike), and
-- whether its number or date is missing (`is_void`). Rows of before this file say neither: `rebuild event_data` mends
-- the few of which it is true.
ALTER TABLE weir_shard.event_data ON CLUSTER '{cluster}' ADD COLUMN IF NOT EXISTS is_repeat UInt8;

ALTER TABLE weir.event_data ON CLUSTER '{cluster}' ADD COLUMN IF NOT EXISTS is_repeat UInt8;

ALTER TABLE weir_shard.event_data ON CLUSTER '{cluster}' ADD COLUMN IF NOT EXISTS is_void UInt8;

ALTER TABLE weir.event_data ON CLUSTER '{cluster}' ADD COLUMN IF NOT EXISTS is_void UInt8;

DROP VIEW IF EXISTS weir_shard.event_data_from_custom_events ON CLUSTER '{cluster}' SYNC;

CREATE MATERIALIZED VIEW IF NOT EXISTS weir_shard.event_data_from_custom_events ON CLUSTER '{cluster}' TO weir_shard.event_data DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, event_name, data_key, created_at, data_type, value, event_type, hostname, browser, os, device, country, url_path,
    is_repeat, is_void
FROM weir_shard.custom_events
ARRAY JOIN
    `properties.key` AS data_key,
    `properties.data_type` AS data_type,
    `properties.value` AS value,
    arrayMap(place -> place > 1, arrayEnumerateUniq(
        `properties.key`, arrayMap(type -> if(type = 3, 1, type), `properties.data_type`), `properties.value`)) AS is_repeat,
    arrayMap(
        (type, number, date) -> (type = 2 AND isNull(number)) OR (type = 4 AND isNull(date)),
        `properties.data_type`, `properties.number_value`, `properties.date_value`) AS is_void;

INSERT INTO weir.migrations (name, checksum) VALUES ('0019_event_data_repeats.sql', '00a2510255a97ccabd3a2acae6468c01d6596e4c8b9239758d2411472d007551');
