-- Chains: distinct counts without a hash table. `weir seal` fills these four tables, one closed day of UTC after
-- another. docs/chains.md says how. `seal` is the number of the seal that wrote a row. Only rows of the latest seal of
-- their day count. Hours in `…_before` are counted from 1970; 0 means never.
--
-- A row of actions by hour and visit (and browser, city …, if a visit has several), with the hours before in which its
-- session and its visit were seen. `kind` 1 has views (`events`) and perhaps custom events (`customs`), kind 2 has
-- custom events only: questions about views leave it out. The first row of kind 1 of a visit in an hour, by `landing`
-- of hourly_visits, bears the figures of the views of the whole visit in that hour. Others have 0 there, and this hour
-- before them. `spent` and `pause` (since the last view of the hour before) are milliseconds. `lone` is 1 in the first
-- row of a visit in an hour in which it has one view and no custom event; else 0. `lone_before` is the visit's hour of
-- actions before the one before, if that was such an hour; else the greatest number. `session_acted` and
-- `visit_acted` are the hours before in which session and visit had an action of any kind, 0 where they are
-- `session_before` and `visit_before`; of kind 2, all of these are about actions. `session_key` and `visit_key` are
-- hashes of the ids of session and visit. `last` is the last view of the visit in the hour, in milliseconds since it
-- began. `paths` and its neighbours are hashes of the values of all views of the visit in the hour: the bytes of 64-bit
-- numbers, because ClickHouse refuses dictionaries of numbers unless a setting allows them. Only `paths` has those of
-- empty values. `entry` and `exit` are the paths of the first and of the last view.
--
-- Rows of a month lie in the order of the columns that are filtered most. So a filter leaves out most of them by the
-- primary key. `counted` tells how many actions the rows of each day and seal hold, without reading them. Columns that
-- most statements read whole have no LZ4 after T64: it would take a quarter less storage, and twice as long to read.
CREATE TABLE IF NOT EXISTS chained_hours
(
    website_id     LowCardinality(UUID),
    kind           UInt8,
    hour           DateTime64(3, 'UTC') CODEC(T64),
    browser        LowCardinality(String) CODEC(ZSTD(1)),
    os             LowCardinality(String) CODEC(ZSTD(1)),
    device         LowCardinality(String) CODEC(ZSTD(1)),
    country        LowCardinality(String) CODEC(ZSTD(1)),
    region         LowCardinality(String) CODEC(ZSTD(1)),
    city           LowCardinality(String) CODEC(ZSTD(1)),
    language       LowCardinality(String) CODEC(ZSTD(1)),
    session_key    UInt64 CODEC(NONE),
    events         UInt64 CODEC(T64),
    customs        UInt64 CODEC(T64, LZ4),
    session_before UInt32 CODEC(T64),
    session_acted  UInt32 CODEC(T64, LZ4),
    visit_before   UInt32 CODEC(T64, LZ4),
    visit_acted    UInt32 CODEC(T64, LZ4),
    visit_views    UInt32 CODEC(T64),
    spent          UInt32 CODEC(T64),
    lone           UInt8 CODEC(T64, LZ4),
    pause          UInt64 CODEC(T64, LZ4),
    lone_before    UInt32 CODEC(LZ4),
    visit_key      UInt64 CODEC(NONE),
    last           UInt32 CODEC(T64),
    entry          LowCardinality(String),
    exit           LowCardinality(String),
    channel        LowCardinality(String) CODEC(ZSTD(1)),
    paths          Array(LowCardinality(String)) CODEC(LZ4HC(9)),
    titles         Array(LowCardinality(String)) CODEC(ZSTD(1)),
    queries        Array(LowCardinality(String)) CODEC(ZSTD(1)),
    hostnames      Array(LowCardinality(String)) CODEC(ZSTD(1)),
    referrers      Array(LowCardinality(String)) CODEC(ZSTD(1)),
    changed        UInt8,
    seal           UInt64 CODEC(Delta(8), ZSTD(1)),
    PROJECTION counted
    (
        SELECT website_id, toDate32(hour), seal, sum(events), sum(customs)
        GROUP BY website_id, toDate32(hour), seal
    )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, kind, toYYYYMM(hour), browser, country, os, device, hour)
SETTINGS min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- Sessions by a value of their views and by the hour before in which they had it; `views` have this value in this hour.
-- `field` is a type of metrics: path, title, query, hostname, referrer. Each view has one row's value of each field.
-- Rows of empty values count views only. Rows of a month lie in the order of values, because filters name paths.
CREATE TABLE IF NOT EXISTS chained_values
(
    website_id   LowCardinality(UUID),
    field        LowCardinality(String),
    hour         DateTime64(3, 'UTC') CODEC(GCD, T64, LZ4),
    value        LowCardinality(String),
    value_before UInt32 CODEC(LZ4),
    sessions     UInt32 CODEC(T64, LZ4),
    views        UInt64 CODEC(T64, LZ4),
    seal         UInt64 CODEC(Delta(8), ZSTD(1)),
    PROJECTION counted
    (
        SELECT website_id, field, toDate32(hour), seal, sum(views)
        GROUP BY website_id, field, toDate32(hour), seal
    )
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, field, value, hour)
SETTINGS min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- Rows of `chained_hours`, added up by day. `field` is '' for all rows of views, or browser, os, device, country: then
-- by its `value`, and only hours before of sessions; or actions: all rows by country, with the hours before of actions;
-- or bounces: all rows, with the days before of their visits' actions; there, `visit_views` is `lone`.
-- `hour` is the first one of the day, and so are the hours before, so that distinct counts of whole days are the same.
-- `visit_views` are at most 2. `hours` are the rows, `spent` and `pause` are sums.
CREATE TABLE IF NOT EXISTS chained_days
(
    website_id     LowCardinality(UUID),
    field          LowCardinality(String),
    hour           DateTime64(3, 'UTC') CODEC(GCD, T64, LZ4),
    value          LowCardinality(String),
    session_before UInt32 CODEC(T64, LZ4),
    visit_before   UInt32 CODEC(T64, LZ4),
    visit_views    UInt8,
    lone_before    UInt32 CODEC(T64, LZ4),
    events         UInt64 CODEC(T64, LZ4),
    customs        UInt64 CODEC(T64, LZ4),
    hours          UInt64 CODEC(T64, LZ4),
    spent          UInt64 CODEC(T64, LZ4),
    pause          UInt64 CODEC(T64, LZ4),
    seal           UInt64 CODEC(Delta(8), LZ4)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, field, value, hour)
SETTINGS min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- One note per seal and day, written after its rows. `shard` names the database and, in a cluster, the shard. `views`
-- and `customs`: the views and the custom events of the 24 hours in the rows that the seal read, or none if the day was
-- unsealed. `began` and `done` are the microseconds since 1970 before the first and after the last read. They are equal
-- for days that were read at once. The `seal` is `began` and the place of the day among them. `changed`: which columns
-- differ between rows of one session (1 browser, 2 os, 4 device, 8 country, 16 region, 32 city, 64 language); 128 if a
-- visit belongs to two sessions. Merges keep the latest seal of each day.
CREATE TABLE IF NOT EXISTS seals
(
    website_id LowCardinality(UUID),
    day        Date32,
    shard      LowCardinality(String),
    seal       UInt64,
    began      UInt64,
    done       UInt64,
    views      Array(UInt64),
    customs    Array(UInt64),
    changed    UInt8
)
ENGINE = ReplacingMergeTree(seal)
ORDER BY (website_id, day)
SETTINGS index_granularity = 1024;
