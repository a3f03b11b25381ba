-- weir_writer, the user of whatever sends events. It inserts into ingest and can neither read nor change anything.
CREATE USER IF NOT EXISTS weir_writer IDENTIFIED WITH sha256_hash BY {writer_hash:String};

GRANT INSERT ON ingest TO weir_writer WITH REPLACE OPTION;
