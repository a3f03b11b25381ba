-- Made by npm run cluster: do not change it here.

CREATE DATABASE IF NOT EXISTS weir_shard ON CLUSTER '{cluster}';

CREATE DATABASE IF NOT EXISTS weir ON CLUSTER '{cluster}';

CREATE TABLE IF NOT EXISTS weir.migrations ON CLUSTER '{cluster}'
(
    name       String,
    checksum   String,
    applied_at DateTime DEFAULT now()
)
ENGINE = ReplicatedMergeTree('/clickhouse/tables/{database}/{table}', '{shard}-{replica}')
ORDER BY name;
