DROP TABLE IF EXISTS chained_hours;

DROP TABLE IF EXISTS seals;

-- Chained hours anew, with hashes of ids and values: a range that ends in an open day looks for the sessions of its ends
-- in the sealed hours. Without notes, `weir seal` makes all rows of chains again; until then, others answer.
--
-- A row of views by hour and visit (and browser, city …, if a visit has several), with the hours before in which its
-- session and its visit were seen. The first row of a visit in an hour, by `landing` of hourly_visits, bears the
-- figures of the whole visit in that hour. Others have 0 there, and this hour before them. `spent` and `pause` (since
-- the last view of the hour before) are milliseconds. `lone_before` is the visit's hour before the one before, if that
-- had one view; else the greatest number. `session_key` and `visit_key` are hashes of the ids of session and visit.
-- `last` is the last view of the visit in the hour, in milliseconds since it began. `paths` and `titles` are hashes of
-- the values of all views of the visit in the hour: the bytes of 64-bit numbers, because ClickHouse refuses dictionaries
-- of numbers unless a setting allows them.
CREATE TABLE IF NOT EXISTS chained_hours
(
    website_id     LowCardinality(UUID),
    hour           DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    browser        LowCardinality(String),
    os             LowCardinality(String),
    device         LowCardinality(String),
    country        LowCardinality(String),
    region         LowCardinality(String),
    city           LowCardinality(String),
    language       LowCardinality(String),
    session_key    UInt64 CODEC(NONE),
    events         UInt64 CODEC(T64, LZ4),
    session_before UInt32 CODEC(T64, LZ4),
    visit_before   UInt32 CODEC(T64, LZ4),
    visit_views    UInt32 CODEC(T64, LZ4),
    spent          UInt32 CODEC(T64, LZ4),
    pause          UInt64 CODEC(T64, LZ4),
    lone_before    UInt32 CODEC(T64, LZ4),
    visit_key      UInt64 CODEC(NONE),
    last           UInt32 CODEC(T64, LZ4),
    entry          LowCardinality(String),
    channel        LowCardinality(String),
    paths          Array(LowCardinality(String)) CODEC(ZSTD(1)),
    titles         Array(LowCardinality(String)) CODEC(ZSTD(1)),
    changed        UInt8,
    seal           UInt64 CODEC(Delta(8), LZ4)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(hour)
ORDER BY (website_id, toDate32(hour), browser, country, os, device, hour)
SETTINGS min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1;

-- One note per seal and day, written after its rows. `shard` names the database and, in a cluster, the shard. `views`:
-- the views of the 24 hours in the rows that the seal read, or none if the day was unsealed. `began` and `done` are the
-- microseconds since 1970 before the first and after the last read. They are equal for days that were read at once. The
-- `seal` is `began` and the place of the day among them. `changed`: which columns differ between rows of one session (1
-- browser, 2 os, 4 device, 8 country, 16 region, 32 city, 64 language); 128 if a visit belongs to two sessions. Merges
-- keep the latest seal of each day.
CREATE TABLE IF NOT EXISTS seals
(
    website_id LowCardinality(UUID),
    day        Date32,
    shard      LowCardinality(String),
    seal       UInt64,
    began      UInt64,
    done       UInt64,
    views      Array(UInt64),
    changed    UInt8
)
ENGINE = ReplacingMergeTree(seal)
ORDER BY (website_id, day)
SETTINGS index_granularity = 1024;
