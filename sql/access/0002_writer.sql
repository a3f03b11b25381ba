-- weir_writer is the user for programs that send events. It can insert into the entry tables and the heartbeats, but
-- neither read nor change anything.
CREATE SETTINGS PROFILE IF NOT EXISTS weir_writer;

-- An unknown column, such as a misspelt one, makes the insert fail. The front of a cluster confirms an insert only once
-- the shards have stored it, as a single server always does. Inserts are not batched (async_insert): column defaults of
-- ingest read the insert's token, and in a batch they would read another insert's token. Each insert uses one thread
-- (max_insert_threads): since 26.8, it could use several by default, and a repeat might then write different blocks.
ALTER SETTINGS PROFILE weir_writer SETTINGS
    input_format_skip_unknown_fields = 0,
    date_time_input_format = 'best_effort',
    distributed_foreground_insert = 1,
    async_insert = 0,
    max_insert_threads = 1;

CREATE USER IF NOT EXISTS weir_writer IDENTIFIED WITH sha256_hash BY {writer_hash:String} SETTINGS PROFILE weir_writer;

ALTER USER weir_writer SETTINGS PROFILE weir_writer;

GRANT INSERT ON ingest, INSERT ON ingest_session_data, INSERT ON ingest_replay_chunks, INSERT ON ingest_heatmap_events,
    INSERT ON heartbeats TO weir_writer WITH REPLACE OPTION;
