-- Made by npm run cluster: do not change it here.

-- What says how fresh a server's events are. A heartbeat is a row that is inserted every few seconds, after the events
-- before it and on the same way. So a server that has a heartbeat has every event whose insert ended before it.
-- `source` tells streams of inserts apart, if there are several: one a shard, or one a writer. The oldest of them counts.
-- Merges keep the latest row of each source.
CREATE TABLE IF NOT EXISTS weir_shard.heartbeats ON CLUSTER '{cluster}'
(
    source LowCardinality(String),
    at     DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),

    CONSTRAINT at_is_not_ahead CHECK at < now64(3, 'UTC') + INTERVAL 10 SECOND
)
ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', at)
ORDER BY source;

CREATE TABLE IF NOT EXISTS weir.heartbeats ON CLUSTER '{cluster}' AS weir_shard.heartbeats
ENGINE = Distributed('{cluster}', 'weir_shard', 'heartbeats');

INSERT INTO weir.migrations (name, checksum) VALUES ('0016_heartbeats.sql', 'a93c58e6ad5d27797b4c796a5ccf203c2797887650e7b32b8a150db4f39befd5');
