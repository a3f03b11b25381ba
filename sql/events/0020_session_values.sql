-- The texts of values as the API answers them, as `properties.value` of `custom_events`, but stored: questions about the
-- current values of sessions then read three arrays of each call in place of five.
ALTER TABLE session_data ADD COLUMN IF NOT EXISTS `properties.value` Array(String) DEFAULT arrayMap(
    (type, string, number, date) -> multiIf(
        type = 2 AND isNotNull(number), toString(assumeNotNull(number)),
        type = 4 AND isNotNull(date), formatDateTime(assumeNotNull(date), '%Y-%m-%dT%H:%i:%SZ', 'UTC'),
        string),
    `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`)
    CODEC(ZSTD(1));

ALTER TABLE session_data MATERIALIZE COLUMN `properties.value` SETTINGS mutations_sync = 2;
