-- weir_reader is the Worker's user. It can only read the tables below, within the limits below.
-- `npm run weir -- access` applies these files to the server and database of CLICKHOUSE_URL. The command can be
-- repeated, because each statement describes the final state. docs/clickhouse-users.md explains each figure.
CREATE SETTINGS PROFILE IF NOT EXISTS weir_reader;

-- readonly = 2: a request may change settings but write nothing. MAX is the highest value that a request may set. A
-- limit cannot be set to 0, which would disable it. A statement that exceeds a limit fails, so no answer is incomplete.
-- Exports raise their time and row limits.
ALTER SETTINGS PROFILE weir_reader SETTINGS
    readonly = 2 CONST,
    allow_ddl = 0 CONST,
    allow_introspection_functions = 0 CONST,
    max_execution_time = 30 MIN 0.1 MAX 3600,
    timeout_overflow_mode = 'throw' CONST,
    max_memory_usage = 4294967296 MIN 1 MAX 4294967296,
    max_temporary_data_on_disk_size_for_query = 17179869184 MIN 1 MAX 17179869184,
    max_temporary_data_on_disk_size_for_user = 34359738368 CONST,
    max_rows_to_read = 5000000000 MIN 1 MAX 5000000000,
    read_overflow_mode = 'throw' CONST,
    max_result_rows = 10000 MIN 1 MAX 5000000000,
    result_overflow_mode = 'throw' CONST,
    max_concurrent_queries_for_user = 200 CONST;

-- ClickHouse receives and stores only the SHA-256 of the password. An existing user keeps its password.
CREATE USER IF NOT EXISTS weir_reader IDENTIFIED WITH sha256_hash BY {reader_hash:String} SETTINGS PROFILE weir_reader;

ALTER USER weir_reader SETTINGS PROFILE weir_reader;

-- Grants access only to these tables of the current database, to their replication lag (system.replicas) and, for
-- /metrics, to free disk space and detached parts (system.disks, system.detached_parts). Revokes all earlier grants.
-- Without further rights the user cannot read ingest or call table functions (url, file, remote, s3 …).
GRANT
    SELECT ON events,
    SELECT ON custom_events,
    SELECT ON session_data,
    SELECT ON session_events,
    SELECT ON event_data,
    SELECT ON event_data_by_id,
    SELECT ON sales,
    SELECT ON web_vitals,
    SELECT ON daily_shapes,
    SELECT ON monthly_shapes,
    SELECT ON daily_events,
    SELECT ON hourly_visits,
    SELECT ON monthly_values,
    SELECT ON replay_chunks,
    SELECT ON replays,
    SELECT ON heatmap_events,
    SELECT ON chained_hours,
    SELECT ON chained_values,
    SELECT ON chained_days,
    SELECT ON seals,
    SELECT ON heartbeats,
    SELECT ON system.replicas,
    SELECT(unreserved_space) ON system.disks,
    SELECT(database, reason) ON system.detached_parts
TO weir_reader WITH REPLACE OPTION;

-- The quota covers all statements of the Worker on a server together. It resets every minute.
CREATE QUOTA IF NOT EXISTS weir_reader;

ALTER QUOTA weir_reader KEYED BY user_name
FOR INTERVAL 1 minute MAX queries = 30000, read_rows = 60000000000, execution_time = 960
TO weir_reader;
