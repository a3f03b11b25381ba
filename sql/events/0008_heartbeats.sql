-- Heartbeats say how fresh a server's events are. A heartbeat is inserted every few seconds, after the events before it
-- and on the same route. So a server that has a heartbeat has every event whose insert ended before it. `source` names
-- the stream of inserts, if there are several: one per shard, or one per writer. The oldest of them counts. Merges keep
-- the latest row of each source.
CREATE TABLE IF NOT EXISTS heartbeats
(
    source LowCardinality(String),
    at     DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),

    CONSTRAINT at_is_not_ahead CHECK at < now64(3, 'UTC') + INTERVAL 10 SECOND
)
ENGINE = ReplacingMergeTree(at)
ORDER BY source;
