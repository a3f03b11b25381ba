-- weir_sealer is the user for `npm run weir -- seal`. It reads the tables from which chains are built, and writes the
-- three chain tables and the table seals. It can neither read other tables nor change an event. system.replicas shows
-- how many replicas a shard has.
CREATE SETTINGS PROFILE IF NOT EXISTS weir_sealer;

-- A sealing statement has used up to 474 MB of memory (docs/benchmarks.md).
ALTER SETTINGS PROFILE weir_sealer SETTINGS
    max_memory_usage = 1073741824 MIN 1 MAX 4294967296;

CREATE USER IF NOT EXISTS weir_sealer IDENTIFIED WITH sha256_hash BY {sealer_hash:String} SETTINGS PROFILE weir_sealer;

ALTER USER weir_sealer SETTINGS PROFILE weir_sealer;

GRANT
    SELECT ON events,
    SELECT ON daily_shapes,
    SELECT ON hourly_visits,
    SELECT ON chained_hours,
    SELECT ON chained_values,
    SELECT ON chained_days,
    SELECT ON seals,
    INSERT ON chained_hours,
    INSERT ON chained_values,
    INSERT ON chained_days,
    INSERT ON seals,
    ALTER DELETE ON chained_hours,
    ALTER DELETE ON chained_values,
    ALTER DELETE ON chained_days,
    SELECT ON system.replicas
TO weir_sealer WITH REPLACE OPTION;
