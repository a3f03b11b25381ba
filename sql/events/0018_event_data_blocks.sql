-- A day's values lie apart, a few rows for each event and property: what is unpacked for them is smaller in smaller blocks. Parts from
-- before keep theirs until they are merged.
ALTER TABLE event_data MODIFY SETTING min_compress_block_size = 16384, max_compress_block_size = 32768;
