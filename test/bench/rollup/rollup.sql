-- What users of Umami on ClickHouse leave behind, in our own words: a row for each visit, kind of event and hour. Its
-- pages, titles and names are arrays with an element for each event, the visitor's values those of any event.
CREATE TABLE IF NOT EXISTS hourly
(
    website_id UUID, session_id UUID, visit_id UUID, event_type UInt32, created_at DateTime('UTC'),
    browser LowCardinality(String), os LowCardinality(String), device LowCardinality(String),
    screen LowCardinality(String), language LowCardinality(String), country LowCardinality(String),
    region LowCardinality(String), city String, distinct_id String,
    entry_page AggregateFunction(argMin, String, DateTime64(3, 'UTC')),
    exit_page AggregateFunction(argMax, String, DateTime64(3, 'UTC')),
    hostname SimpleAggregateFunction(groupArrayArray, Array(String)),
    url_path SimpleAggregateFunction(groupArrayArray, Array(String)),
    url_query SimpleAggregateFunction(groupArrayArray, Array(String)),
    page_title SimpleAggregateFunction(groupArrayArray, Array(String)),
    referrer_domain SimpleAggregateFunction(groupArrayArray, Array(String)),
    utm_source SimpleAggregateFunction(groupArrayArray, Array(String)),
    utm_medium SimpleAggregateFunction(groupArrayArray, Array(String)),
    utm_campaign SimpleAggregateFunction(groupArrayArray, Array(String)),
    utm_content SimpleAggregateFunction(groupArrayArray, Array(String)),
    utm_term SimpleAggregateFunction(groupArrayArray, Array(String)),
    event_name SimpleAggregateFunction(groupArrayArray, Array(String)),
    tag SimpleAggregateFunction(groupArrayArray, Array(String)),
    views SimpleAggregateFunction(sum, UInt64),
    first_at SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_at SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, event_type, toStartOfHour(created_at), cityHash64(visit_id), visit_id)
SETTINGS min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    -- A visit has one session, and the other values are those of any event.
    allow_dimensions_outside_sorting_key = 1;
