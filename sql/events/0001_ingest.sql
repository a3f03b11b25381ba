-- The one table that writers insert into: one row per event, its properties as parallel arrays.
-- It stores nothing; the materialized views of the following files fill the tables that are read.
CREATE TABLE IF NOT EXISTS ingest
(
    website_id      UUID,
    session_id      UUID,
    visit_id        UUID,
    event_id        UUID,
    created_at      DateTime64(3, 'UTC'),
    event_type      UInt8,
    event_name      String,
    hostname        String,
    browser         String,
    os              String,
    device          String,
    screen          String,
    language        String,
    country         String,
    region          String,
    city            String,
    url_path        String,
    url_query       String,
    utm_source      String,
    utm_medium      String,
    utm_campaign    String,
    utm_content     String,
    utm_term        String,
    referrer_path   String,
    referrer_query  String,
    referrer_domain String,
    page_title      String,
    tag             String,
    distinct_id     String,
    properties      Nested
    (
        key          String,
        data_type    UInt8,
        string_value String,
        number_value Nullable(Decimal(22, 4)),
        date_value   Nullable(DateTime64(3, 'UTC'))
    )
)
ENGINE = Null;
