-- What the tables behind the views hold as LowCardinality comes in as such: its texts are looked up once an insert, not once a table.
-- Writers go on as before: they send, and INSERT … SELECT gives, plain texts.
ALTER TABLE ingest
    MODIFY COLUMN website_id LowCardinality(UUID),
    MODIFY COLUMN event_name LowCardinality(String),
    MODIFY COLUMN hostname LowCardinality(String),
    MODIFY COLUMN browser LowCardinality(String),
    MODIFY COLUMN os LowCardinality(String),
    MODIFY COLUMN device LowCardinality(String),
    MODIFY COLUMN screen LowCardinality(String),
    MODIFY COLUMN language LowCardinality(String),
    MODIFY COLUMN country LowCardinality(String),
    MODIFY COLUMN region LowCardinality(String),
    MODIFY COLUMN city LowCardinality(String),
    MODIFY COLUMN url_path LowCardinality(String),
    MODIFY COLUMN utm_source LowCardinality(String),
    MODIFY COLUMN utm_medium LowCardinality(String),
    MODIFY COLUMN utm_campaign LowCardinality(String),
    MODIFY COLUMN utm_content LowCardinality(String),
    MODIFY COLUMN utm_term LowCardinality(String),
    MODIFY COLUMN referrer_domain LowCardinality(String),
    MODIFY COLUMN page_title LowCardinality(String),
    MODIFY COLUMN tag LowCardinality(String);
