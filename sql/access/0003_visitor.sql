-- weir_visitor is the Worker's user for readers of shares and public websites. It reads the same data as weir_reader
-- except recordings, but has separate limits and a separate quota, so that these readers cannot use up the capacity of
-- all other readers.
CREATE SETTINGS PROFILE IF NOT EXISTS weir_visitor;

-- A statement may use one thread and run for five seconds; exports raise their time and row limits. All statements of
-- this user together may use as much memory as one statement of weir_reader.
ALTER SETTINGS PROFILE weir_visitor SETTINGS
    readonly = 2 CONST,
    allow_ddl = 0 CONST,
    allow_introspection_functions = 0 CONST,
    max_threads = 1 CONST,
    max_execution_time = 5 MIN 0.1 MAX 3600,
    timeout_overflow_mode = 'throw' CONST,
    max_memory_usage = 4294967296 MIN 1 MAX 4294967296,
    max_memory_usage_for_user = 4294967296 CONST,
    max_temporary_data_on_disk_size_for_query = 17179869184 MIN 1 MAX 17179869184,
    max_temporary_data_on_disk_size_for_user = 34359738368 CONST,
    max_rows_to_read = 5000000000 MIN 1 MAX 5000000000,
    read_overflow_mode = 'throw' CONST,
    max_result_rows = 10000 MIN 1 MAX 5000000000,
    result_overflow_mode = 'throw' CONST,
    max_concurrent_queries_for_user = 50 CONST;

CREATE USER IF NOT EXISTS weir_visitor IDENTIFIED WITH sha256_hash BY {visitor_hash:String} SETTINGS PROFILE weir_visitor;

ALTER USER weir_visitor SETTINGS PROFILE weir_visitor;

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
    SELECT ON chained_hours,
    SELECT ON chained_values,
    SELECT ON chained_days,
    SELECT ON seals,
    SELECT ON heartbeats,
    SELECT ON system.replicas
TO weir_visitor WITH REPLACE OPTION;

-- A quarter of weir_reader's quota.
CREATE QUOTA IF NOT EXISTS weir_visitor;

ALTER QUOTA weir_visitor KEYED BY user_name
FOR INTERVAL 1 minute MAX queries = 7500, read_rows = 15000000000, execution_time = 240
TO weir_visitor;
