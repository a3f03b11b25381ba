-- The entry table: writers insert events only here. It stores nothing; materialized views fill the other tables from
-- it.
-- One row is one event, with its properties as parallel arrays. A missing column gets its default.
-- An insert with insert_deduplication_token may be repeated, and tables that stored the first attempt skip the second.
-- So both attempts must have the same ids and times: without event_id and created_at in each row, the insert is
-- refused. session_id and visit_id follow from event_id. A default that throws refuses a missing value before any row
-- is stored, and its message is all that the writer reads.
-- A value that violates a constraint refuses the whole insert; ClickHouse's message names the constraint and the row.
-- Senders may give times a day ahead, by the clock of the Worker. That of ClickHouse may be half an hour behind.
-- A column is LowCardinality if the other tables store it so: an insert then builds its dictionary once, not once per
-- table.
CREATE TABLE IF NOT EXISTS ingest
(
    website_id      LowCardinality(UUID),
    session_id      UUID DEFAULT event_id,
    visit_id        UUID DEFAULT event_id,
    event_id        UUID DEFAULT generateUUIDv4(throwIf(
        getSetting('insert_deduplication_token') != '',
        'With insert_deduplication_token, give each row its event_id and created_at: a repeat would get others')),
    created_at      DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') + throwIf(
        getSetting('insert_deduplication_token') != '',
        'With insert_deduplication_token, give each row its event_id and created_at: a repeat would get others'),
    event_type      UInt8 DEFAULT if(event_name = '', 1, 2),
    event_name      LowCardinality(String),
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
    url_query       String,
    utm_source      LowCardinality(String),
    utm_medium      LowCardinality(String),
    utm_campaign    LowCardinality(String),
    utm_content     LowCardinality(String),
    utm_term        LowCardinality(String),
    referrer_path   String,
    referrer_query  String,
    referrer_domain LowCardinality(String),
    page_title      LowCardinality(String),
    tag             LowCardinality(String),
    distinct_id     String,
    gclid           String,
    fbclid          String,
    msclkid         String,
    ttclid          String,
    li_fat_id       String,
    twclid          String,
    lcp             Nullable(Float64),
    inp             Nullable(Float64),
    cls             Nullable(Float64),
    fcp             Nullable(Float64),
    ttfb            Nullable(Float64),
    properties      Nested
    (
        key          String,
        data_type    UInt8,
        string_value String,
        number_value Nullable(Decimal(22, 4)),
        date_value   Nullable(DateTime64(3, 'UTC'))
    ),

    CONSTRAINT website_id_is_given CHECK website_id != toUUID('00000000-0000-0000-0000-000000000000'),
    CONSTRAINT created_at_is_from_2000_to_tomorrow
        CHECK created_at >= toDateTime64('2000-01-01 00:00:00', 3, 'UTC')
            AND created_at < now64(3, 'UTC') + INTERVAL 1 DAY + INTERVAL 30 MINUTE,
    CONSTRAINT event_type_is_1_to_5 CHECK event_type BETWEEN 1 AND 5,
    CONSTRAINT data_type_is_1_to_5 CHECK arrayAll(type -> type BETWEEN 1 AND 5, `properties.data_type`),
    CONSTRAINT number_value_is_given_for_type_2
        CHECK arrayAll((type, value) -> type != 2 OR value IS NOT NULL, `properties.data_type`, `properties.number_value`),
    CONSTRAINT date_value_is_given_for_type_4
        CHECK arrayAll((type, value) -> type != 4 OR value IS NOT NULL, `properties.data_type`, `properties.date_value`)
)
ENGINE = Null;

-- The second entry table: what an identify call says of a session. Writers insert; the view of session_data stores it.
-- One row is one call, with its properties as parallel arrays, as in ingest.
CREATE TABLE IF NOT EXISTS ingest_session_data
(
    website_id      LowCardinality(UUID),
    session_id      UUID,
    distinct_id     String,
    created_at      DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') + throwIf(
        getSetting('insert_deduplication_token') != '',
        'With insert_deduplication_token, give each row its created_at: a repeat would get another one'),
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
