-- weir_writer is the user of programs that send events. It can insert into the entry tables and the
-- heartbeats, but neither read nor change anything.
CREATE SETTINGS PROFILE IF NOT EXISTS weir_writer;

-- An unknown column, such as a misspelt one, makes the insert fail. The front of a cluster answers an insert once the
-- shards have stored it; a single server always does. Inserts are not gathered (async_insert): the defaults of ingest
-- look at the token of the insert, and those of a gathered one would see the token of another. One thread writes an
-- insert (max_insert_threads): since 26.8, several could do it by default, and a repeat might write other blocks.
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
