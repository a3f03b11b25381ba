-- What a page of events shows beside ids and times, in one column: a page opens a few files of each part in place of
-- nineteen. Parts from before make it of their columns when they are read.
ALTER TABLE events ADD COLUMN IF NOT EXISTS shown Array(String) DEFAULT [
    hostname, url_path, url_query, referrer_path, referrer_query, referrer_domain, country, city, device, os, browser,
    page_title, event_name, toString(has_data)
] CODEC(ZSTD(3));
