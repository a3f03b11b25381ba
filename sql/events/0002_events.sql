-- One row per event, with all its columns. A page of the newest rows reads the key backwards and stops early. A range
-- reads only its own granules. `packed` stores all columns of a page, except ids and times, as one: a page then opens
-- a few files of each part instead of nineteen.
CREATE TABLE IF NOT EXISTS events
(
    website_id      LowCardinality(UUID),
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    event_id        UUID CODEC(NONE),
    session_id      UUID,
    visit_id        UUID,
    event_type      UInt8,
    event_name      LowCardinality(String),
    has_data        UInt8,
    hostname        LowCardinality(String),
    browser         LowCardinality(String),
    os              LowCardinality(String),
    device          LowCardinality(String),
    screen          LowCardinality(String),
    language        LowCardinality(String),
    country         LowCardinality(String),
    region          LowCardinality(String),
    city            LowCardinality(String),
    url_path        LowCardinality(String),
    url_query       String CODEC(ZSTD(1)),
    utm_source      LowCardinality(String),
    utm_medium      LowCardinality(String),
    utm_campaign    LowCardinality(String),
    utm_content     LowCardinality(String),
    utm_term        LowCardinality(String),
    referrer_path   String CODEC(ZSTD(1)),
    referrer_query  String CODEC(ZSTD(1)),
    referrer_domain LowCardinality(String),
    page_title      LowCardinality(String),
    tag             LowCardinality(String),
    distinct_id     String CODEC(ZSTD(1)),
    gclid           String CODEC(ZSTD(1)),
    fbclid          String CODEC(ZSTD(1)),
    msclkid         String CODEC(ZSTD(1)),
    ttclid          String CODEC(ZSTD(1)),
    li_fat_id       String CODEC(ZSTD(1)),
    twclid          String CODEC(ZSTD(1)),
    lcp             Nullable(Float64) CODEC(ZSTD(1)),
    inp             Nullable(Float64) CODEC(ZSTD(1)),
    cls             Nullable(Float64) CODEC(ZSTD(1)),
    fcp             Nullable(Float64) CODEC(ZSTD(1)),
    ttfb            Nullable(Float64) CODEC(ZSTD(1)),
    packed          Array(String) DEFAULT [
        hostname, url_path, url_query, referrer_path, referrer_query, referrer_domain, country, city, device, os, browser,
        page_title, event_name, toString(has_data)
    ] CODEC(ZSTD(3)),
    -- The moment at which the event was stored. `ingest` has no such column: a default there would make the rows of a
    -- repeated insert differ, and each repeat without a token would count again. ClickHouse fills in a default of
    -- `events` after it has compared the rows.
    ingested_at     DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    -- The channel of a visit that begins with this event: the first rule that holds, by the lists of
    -- src/channel-lists.ts. It depends only on the event, so it is computed once, when the event is stored. A domain of
    -- a list includes its subdomains; a brand has any public suffix. Rows keep their channel when the lists change,
    -- until `weir rebuild --channels`.
    channel         LowCardinality(String) DEFAULT multiIf(
        gclid != '' OR msclkid != '' OR ttclid != '' OR li_fat_id != '' OR twclid != ''
        OR arrayExists(
            pair -> position(pair, '=') BETWEEN 1 AND length(pair) - 1
                AND lowerUTF8(decodeURLFormComponent(substring(pair, 1, position(pair, '=') - 1))) IN (
                    'ad_id', 'aid', 'dclid', 'gad_source', 'gbraid', 'gclid', 'li_fat_id', 'msclkid',
                    'ob_click_id', 'pc_id', 'rdt_cid', 'scid', 'ttclid', 'twclid', 'wbraid', 'yclid'),
            splitByChar('&', url_query)),
        'paidAds',

        (lowerUTF8(utm_medium) AS landing_medium) IN ('referral', 'app', 'link'),
        'referral',

        landing_medium IN ('affiliate', 'affiliates'),
        'affiliate',

        landing_medium = 'sms' OR (lowerUTF8(utm_source) AS landing_source) = 'sms',
        'sms',

        match(
            (toLowCardinality(if(
                (if(
                    hostname = '' OR referrer_domain != hostname
                        AND referrer_domain != if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname),
                    replaceRegexpOne(lowerUTF8(referrer_domain), '^www[.]', ''), '') AS landing_referrer) = '',
                transform(landing_source, [
                    'deepseek', 'openai', 'perplexity', 'gmail', 'gmx', 'hotmail', 'mail.yahoo', 'outlook',
                    'protonmail', 'brave', 'google', 'search.yahoo', 'yandex', 'facebook', 'linkedin',
                    'pinterest', 'reddit', 'snapchat', 'tiktok', 'amazon', 'twitch', 'youtube'], [
                    'deepseek.com', 'openai.com', 'perplexity.com', 'gmail.com', 'gmx.com', 'hotmail.com',
                    'mail.yahoo.com', 'outlook.com', 'protonmail.com', 'brave.com', 'google.com',
                    'search.yahoo.com', 'yandex.com', 'facebook.com', 'linkedin.com', 'pinterest.com',
                    'reddit.com', 'snapchat.com', 'tiktok.com', 'amazon.com', 'twitch.com', 'youtube.com']),
                transform(landing_referrer, [
                    'com.facebook.katana', 'com.facebook.lite', 'com.google.android.gm',
                    'com.google.android.googlequicksearchbox', 'com.google.android.youtube',
                    'com.instagram.android', 'com.linkedin.android', 'com.microsoft.office.outlook',
                    'com.openai.chatgpt', 'com.pinterest', 'com.reddit.frontpage', 'com.twitter.android',
                    'com.zhiliaoapp.musically', 'org.telegram.messenger'], [
                    'facebook.com', 'facebook.com', 'mail.google.com', 'google.com', 'youtube.com',
                    'instagram.com', 'linkedin.com', 'outlook.com', 'chatgpt.com', 'pinterest.com',
                    'reddit.com', 'x.com', 'tiktok.com', 't.me']))) AS landing_site), concat(
            '^(?:.*[.])?(?:chat[.]deepseek[.]com|chat[.]mistral[.]ai|chat[.]openai[.]com|chatgpt[.]com',
            '|claude[.]ai|copilot[.]microsoft[.]com|duck[.]ai|gemini[.]google[.]com|grok[.]com',
            '|meta[.]ai|poe[.]com|you[.]com|(?:deepseek|openai|perplexity',
            ')[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$')),
        'llm',

        match(landing_site, concat(
            '^(?:.*[.])?(?:fastmail[.]com|mail[.]google[.]com|mail[.]ru|outlook[.]live[.]com',
            '|outlook[.]office[.]com|proton[.]me|(?:gmail|gmx|hotmail|mail[.]yahoo|outlook|protonmail',
            ')[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
        OR position(landing_medium, 'mail') > 0
        OR position(landing_medium, 'newsletter') > 0 OR position(landing_source, 'newsletter') > 0,
        'email',

        match(landing_site, concat(
            '^(?:.*[.])?(?:baidu[.]com|bing[.]com|duckduckgo[.]com|ecosia[.]org|kagi[.]com|msn[.]com',
            '|presearch[.]com|qwant[.]com|search[.]brave[.]com|search[.]naver[.]com|so[.]com',
            '|sogou[.]com|startpage[.]com|ya[.]ru|yep[.]com|(?:brave|google|search[.]yahoo|yandex',
            ')[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
        OR landing_medium = 'organic',
        if(
            (match(landing_medium, '^(.*cp.*|ppc|retargeting|paid.*|display|banner|interstitial)$') AS is_paid_landing),
            'paidSearch', 'organicSearch'),

        match(landing_site, concat(
            '^(?:.*[.])?(?:bsky[.]app|fb[.]com|ig[.]com|instagram[.]com|lnkd[.]in|mastodon[.]social',
            '|news[.]ycombinator[.]com|t[.]co|t[.]me|telegram[.]org|threads[.]com|threads[.]net',
            '|twitter[.]com|vk[.]com|weibo[.]com|x[.]com|(?:facebook|linkedin|pinterest|reddit|snapchat',
            '|tiktok)[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
        OR landing_medium IN ('social', 'social-network', 'social-media', 'sm'),
        if(is_paid_landing, 'paidSocial', 'organicSocial'),

        match(landing_site, concat(
            '^(?:.*[.])?(?:alibaba[.]com|aliexpress[.]com|bestbuy[.]com|ebay[.]com|etsy[.]com',
            '|newegg[.]com|target[.]com|walmart[.]com|(?:amazon)[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
        OR match(landing_medium, '(^|[^a-df-z])shop|shopping'),
        if(is_paid_landing, 'paidShopping', 'organicShopping'),

        match(landing_site, concat(
            '^(?:.*[.])?(?:vimeo[.]com|youtu[.]be|(?:twitch|youtube)[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2})',
            ')$'))
        OR position(landing_medium, 'video') > 0,
        if(is_paid_landing, 'paidVideo', 'organicVideo'),

        is_paid_landing,
        'paidAds',

        landing_referrer != '' OR landing_medium != '' OR landing_source != '',
        'referral',

        'direct'),
    -- The number of the lists that gave the channel.
    channel_lists   UInt8 DEFAULT 1
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, created_at, event_id)
SETTINGS index_granularity = 1024,
    -- Merges a month's parts into one after an hour without inserts.
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    -- ClickHouse recognises a repeated insert by its token or its rows, among this many blocks, and ignores it.
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS events_from_ingest TO events DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    * EXCEPT (`properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`, `properties.date_value`),
    notEmpty(`properties.key`) AS has_data
FROM ingest;

-- One row per web vital (event type 5). They are few, and lie scattered among the other events: without this table, a
-- report on them would read a column of every event. The table has every column that a filter needs.
CREATE TABLE IF NOT EXISTS web_vitals
(
    website_id      LowCardinality(UUID),
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    event_id        UUID CODEC(NONE),
    session_id      UUID,
    visit_id        UUID,
    event_type      UInt8,
    event_name      LowCardinality(String),
    hostname        LowCardinality(String),
    browser         LowCardinality(String),
    os              LowCardinality(String),
    device          LowCardinality(String),
    language        LowCardinality(String),
    country         LowCardinality(String),
    region          LowCardinality(String),
    city            LowCardinality(String),
    url_path        LowCardinality(String),
    url_query       String CODEC(ZSTD(1)),
    utm_source      LowCardinality(String),
    utm_medium      LowCardinality(String),
    utm_campaign    LowCardinality(String),
    utm_content     LowCardinality(String),
    utm_term        LowCardinality(String),
    referrer_domain LowCardinality(String),
    page_title      LowCardinality(String),
    tag             LowCardinality(String),
    distinct_id     String CODEC(ZSTD(1)),
    lcp             Nullable(Float64) CODEC(ZSTD(1)),
    inp             Nullable(Float64) CODEC(ZSTD(1)),
    cls             Nullable(Float64) CODEC(ZSTD(1)),
    fcp             Nullable(Float64) CODEC(ZSTD(1)),
    ttfb            Nullable(Float64) CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, created_at, event_id)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS web_vitals_from_events TO web_vitals DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, created_at, event_id, session_id, visit_id, event_type, event_name,
    hostname, browser, os, device, language, country, region, city, url_path, url_query,
    utm_source, utm_medium, utm_campaign, utm_content, utm_term, referrer_domain, page_title, tag, distinct_id,
    lcp, inp, cls, fcp, ttfb
FROM events
WHERE event_type = 5;
