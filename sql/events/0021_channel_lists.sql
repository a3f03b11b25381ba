-- The number of the lists by which the channel of a row was judged: src/channel-lists.ts. Rows of before have 0, stored:
-- else the default of a later file would be theirs.
ALTER TABLE events ADD COLUMN IF NOT EXISTS channel_lists UInt8 DEFAULT 0;

ALTER TABLE events MATERIALIZE COLUMN channel_lists SETTINGS mutations_sync = 2;
