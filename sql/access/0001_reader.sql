-- weir_reader, the user that the Worker is. It reads nine tables, writes nothing, and stays within the limits below.
-- `npm run weir -- access` applies these files to the server and database of CLICKHOUSE_URL, as often as one likes:
-- each statement says how things are to be. Why each figure is what it is: docs/deployment.md.
CREATE SETTINGS PROFILE IF NOT EXISTS weir_reader;

-- readonly = 2: a request may write nothing, and set what it needs, a limit never above MAX,
-- and never to 0, which would be no limit at all. Past a limit it fails, and gets no half of an answer. Exports say that
-- they take longer and have more rows.
ALTER SETTINGS PROFILE weir_reader SETTINGS
    readonly = 2 CONST,
    allow_ddl = 0 CONST,
    allow_introspection_functions = 0 CONST,
    max_execution_time = 30 MIN 0.1 MAX 3600,
    timeout_overflow_mode = 'throw' CONST,
    max_memory_usage = 4294967296 MIN 1 MAX 4294967296,
    max_rows_to_read = 5000000000 MIN 1 MAX 5000000000,
    read_overflow_mode = 'throw' CONST,
    max_result_rows = 10000 MIN 1 MAX 5000000000,
    result_overflow_mode = 'throw' CONST;

-- Only the SHA-256 of the password is sent and kept. A user who exists keeps the password it has.
CREATE USER IF NOT EXISTS weir_reader IDENTIFIED WITH sha256_hash BY {reader_hash:String} SETTINGS PROFILE weir_reader;

ALTER USER weir_reader SETTINGS PROFILE weir_reader;

-- These tables of the current database, and whatever was granted before is gone: not ingest, not the table functions
-- (url, file, remote, s3 …), which need rights of their own.
GRANT
    SELECT ON events,
    SELECT ON custom_events,
    SELECT ON event_data,
    SELECT ON event_data_by_id,
    SELECT ON daily_shapes,
    SELECT ON monthly_shapes,
    SELECT ON daily_events,
    SELECT ON daily_visits,
    SELECT ON monthly_values
TO weir_reader WITH REPLACE OPTION;

-- For all that the Worker does together, on each server. A minute that is used up is over soon.
CREATE QUOTA IF NOT EXISTS weir_reader;

ALTER QUOTA weir_reader KEYED BY user_name
FOR INTERVAL 1 minute MAX queries = 30000, read_rows = 60000000000, execution_time = 960
TO weir_reader;
