-- Recordings of visits: docs/recordings.md. Writers insert a row for each request of a recorder.
CREATE TABLE IF NOT EXISTS ingest_replay_chunks
(
    website_id  LowCardinality(UUID),
    visit_id    UUID,
    session_id  UUID,
    created_at  DateTime64(3, 'UTC'),
    chunk_index UInt32,
    hash        String,
    first_at    DateTime64(3, 'UTC'),
    last_at     DateTime64(3, 'UTC'),
    times       Array(Int64),
    events      String,

    CONSTRAINT website_id_is_given CHECK website_id != toUUID('00000000-0000-0000-0000-000000000000'),
    CONSTRAINT created_at_is_from_2000_to_tomorrow
        CHECK created_at >= toDateTime64('2000-01-01 00:00:00', 3, 'UTC') AND created_at < now64(3, 'UTC') + INTERVAL 1 DAY,
    CONSTRAINT hash_is_sha256 CHECK match(hash, '^[0-9a-f]{64}$'),
    CONSTRAINT times_are_those_of_events CHECK length(times) = countSubstrings(events, '\n') + 1
)
ENGINE = Null;

-- A row per chunk. `events` has a line of JSON for each rrweb event, and `times` the time that each states, in
-- milliseconds. `created_at` is the arrival; `first_at` and `last_at` are times of events, as far as they can be true.
-- A granule has at most 64 rows and 4 MB: a look-up of a visit reads little beside it. A compressed block has up to
-- 4 MB, because snapshots of a page repeat each other.
CREATE TABLE IF NOT EXISTS replay_chunks
(
    website_id  LowCardinality(UUID),
    visit_id    UUID,
    session_id  UUID,
    created_at  DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    chunk_index UInt32,
    hash        FixedString(32) CODEC(NONE),
    first_at    DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    last_at     DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    times       Array(Int64) CODEC(Delta(8), ZSTD(1)),
    events      String CODEC(ZSTD(3))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, visit_id, first_at, chunk_index)
SETTINGS index_granularity = 64, index_granularity_bytes = 4194304,
    min_compress_block_size = 4194304, max_compress_block_size = 4194304,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS replay_chunks_from_ingest_replay_chunks TO replay_chunks DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, visit_id, session_id, created_at, chunk_index, CAST(unhex(hash), 'FixedString(32)') AS hash,
    first_at, last_at, times, events
FROM ingest_replay_chunks;

-- A row per visit and month of arrival, once merged: lists read these.
CREATE TABLE IF NOT EXISTS replays
(
    website_id LowCardinality(UUID),
    visit_id   UUID,
    month      UInt32,
    session_id UUID,
    first_at   SimpleAggregateFunction(min, DateTime64(3, 'UTC')),
    last_at    SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    arrived_at SimpleAggregateFunction(max, DateTime64(3, 'UTC')),
    chunks     SimpleAggregateFunction(sum, UInt64),
    events     SimpleAggregateFunction(sum, UInt64)
)
ENGINE = AggregatingMergeTree
PARTITION BY month
ORDER BY (website_id, visit_id, month, session_id)
PRIMARY KEY (website_id, visit_id)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS replays_from_replay_chunks TO replays DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, visit_id, toYYYYMM(created_at) AS month, session_id,
    min(chunk_first_at) AS first_at, max(chunk_last_at) AS last_at, max(created_at) AS arrived_at,
    count() AS chunks, sum(length(times)) AS events
FROM
(
    SELECT website_id, visit_id, session_id, created_at, times, first_at AS chunk_first_at, last_at AS chunk_last_at
    FROM replay_chunks
)
GROUP BY website_id, visit_id, month, session_id;

-- Clicks and scroll depths. Writers insert a row for each.
CREATE TABLE IF NOT EXISTS ingest_heatmap_events
(
    website_id LowCardinality(UUID),
    visit_id   UUID,
    session_id UUID,
    created_at DateTime64(3, 'UTC'),
    arrived_at DateTime64(3, 'UTC'),
    request    String,
    place      UInt8,
    type       UInt8,
    url_path   String,
    x          Nullable(Int32),
    y          Nullable(Int32),
    page_x     Nullable(Int32),
    page_y     Nullable(Int32),
    page_w     Nullable(Int32),
    page_h     Nullable(Int32),
    viewport_w Nullable(Int32),
    viewport_h Nullable(Int32),
    scroll_pct Nullable(UInt8),

    CONSTRAINT website_id_is_given CHECK website_id != toUUID('00000000-0000-0000-0000-000000000000'),
    CONSTRAINT created_at_is_from_2000_to_tomorrow
        CHECK created_at >= toDateTime64('2000-01-01 00:00:00', 3, 'UTC') AND created_at < now64(3, 'UTC') + INTERVAL 1 DAY,
    CONSTRAINT type_is_1_or_2 CHECK type IN (1, 2),
    CONSTRAINT request_is_given CHECK match(request, '^[0-9a-f]{16}$'),
    CONSTRAINT positions_are_from_0_to_1000000
        CHECK arrayAll(one -> ifNull(one, 0) BETWEEN 0 AND 1000000, [x, y, page_x, page_y]),
    CONSTRAINT sizes_are_from_1_to_1000000
        CHECK arrayAll(one -> ifNull(one, 1) BETWEEN 1 AND 1000000, [page_w, page_h, viewport_w, viewport_h]),
    CONSTRAINT scroll_pct_is_at_most_100 CHECK ifNull(scroll_pct, 0) <= 100
)
ENGINE = Null;

-- `request` and `place` name the request and the place there; they follow from its hash. Type 1 is a click, type 2 a
-- scroll depth. The path of a click is read with many others of the same path.
CREATE TABLE IF NOT EXISTS heatmap_events
(
    website_id LowCardinality(UUID),
    visit_id   UUID,
    session_id UUID,
    created_at DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    arrived_at DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    request    FixedString(8),
    place      UInt8,
    type       UInt8,
    url_path   LowCardinality(String),
    x          Nullable(Int32) CODEC(Delta(4), LZ4),
    y          Nullable(Int32) CODEC(Delta(4), LZ4),
    page_x     Nullable(Int32) CODEC(Delta(4), LZ4),
    page_y     Nullable(Int32) CODEC(Delta(4), LZ4),
    page_w     Nullable(Int32) CODEC(Delta(4), LZ4),
    page_h     Nullable(Int32) CODEC(Delta(4), LZ4),
    viewport_w Nullable(Int32) CODEC(Delta(4), LZ4),
    viewport_h Nullable(Int32) CODEC(Delta(4), LZ4),
    scroll_pct Nullable(UInt8)
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(arrived_at)
ORDER BY (website_id, type, url_path, toDate32(created_at), visit_id, created_at)
PRIMARY KEY (website_id, type, url_path, toDate32(created_at))
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS heatmap_events_from_ingest_heatmap_events TO heatmap_events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, visit_id, session_id, created_at, arrived_at, CAST(unhex(request), 'FixedString(8)') AS request, place,
    type, url_path, x, y, page_x, page_y, page_w, page_h, viewport_w, viewport_h, scroll_pct
FROM ingest_heatmap_events;
