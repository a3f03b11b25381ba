-- An insert with insert_deduplication_token may be repeated, and tables that stored the first attempt skip the second.
-- So both attempts must have the same ids and times: the row gives event_id and created_at, or the insert is refused.
-- session_id and visit_id follow from event_id. A default that throws refuses a missing value before a row is stored,
-- and its message is all that the writer reads; `Null` tables take no new constraints.
ALTER TABLE ingest
    MODIFY COLUMN event_id UUID DEFAULT generateUUIDv4(throwIf(
        getSetting('insert_deduplication_token') != '',
        'With insert_deduplication_token, give each row its event_id and created_at: a repeat would get others')),
    MODIFY COLUMN created_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') + throwIf(
        getSetting('insert_deduplication_token') != '',
        'With insert_deduplication_token, give each row its event_id and created_at: a repeat would get others'),
    MODIFY COLUMN session_id UUID DEFAULT event_id,
    MODIFY COLUMN visit_id UUID DEFAULT event_id;

ALTER TABLE ingest_session_data
    MODIFY COLUMN created_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') + throwIf(
        getSetting('insert_deduplication_token') != '',
        'With insert_deduplication_token, give each row its created_at: a repeat would get another one');
