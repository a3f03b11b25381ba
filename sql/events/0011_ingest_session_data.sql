-- The second entry table: what an identify call says of a session. Writers insert; the view of session_data stores it.
-- One row is one call, with its properties as parallel arrays, as in ingest.
CREATE TABLE IF NOT EXISTS ingest_session_data
(
    website_id      LowCardinality(UUID),
    session_id      UUID,
    distinct_id     String,
    created_at      DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),
    properties      Nested
    (
        key          String,
        data_type    UInt8,
        string_value String,
        number_value Nullable(Decimal(22, 4)),
        date_value   Nullable(DateTime64(3, 'UTC'))
    ),

    CONSTRAINT website_id_is_given CHECK website_id != toUUID('00000000-0000-0000-0000-000000000000'),
    CONSTRAINT session_id_is_given CHECK session_id != toUUID('00000000-0000-0000-0000-000000000000'),
    CONSTRAINT created_at_is_from_2000_to_tomorrow
        CHECK created_at >= toDateTime64('2000-01-01 00:00:00', 3, 'UTC')
            AND created_at < now64(3, 'UTC') + INTERVAL 1 DAY + INTERVAL 30 MINUTE,
    CONSTRAINT data_type_is_1_to_5 CHECK arrayAll(type -> type BETWEEN 1 AND 5, `properties.data_type`),
    CONSTRAINT number_value_is_given_for_type_2
        CHECK arrayAll((type, value) -> type != 2 OR value IS NOT NULL, `properties.data_type`, `properties.number_value`),
    CONSTRAINT date_value_is_given_for_type_4
        CHECK arrayAll((type, value) -> type != 4 OR value IS NOT NULL, `properties.data_type`, `properties.date_value`)
)
ENGINE = Null;
