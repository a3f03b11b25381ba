-- Values are unpacked by the million: LZ4 takes half the time of ZSTD for a quarter more of the table. Parts from before keep ZSTD until they
-- are merged.
ALTER TABLE event_data MODIFY COLUMN value String CODEC(LZ4);

ALTER TABLE value_months MODIFY COLUMN value String CODEC(LZ4);
