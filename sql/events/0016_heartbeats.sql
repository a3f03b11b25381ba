-- What says how fresh a server's events are. A heartbeat is a row that is inserted every few seconds, after the events
-- before it and on the same way. So a server that has a heartbeat has every event whose insert ended before it.
-- `source` tells streams of inserts apart, if there are several: one a shard, or one a writer. The oldest of them counts.
-- Merges keep the latest row of each source.
CREATE TABLE IF NOT EXISTS heartbeats
(
    source LowCardinality(String),
    at     DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),

    CONSTRAINT at_is_not_ahead CHECK at < now64(3, 'UTC') + INTERVAL 10 SECOND
)
ENGINE = ReplacingMergeTree(at)
ORDER BY source;
