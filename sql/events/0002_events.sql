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
    -- The channel of a visit that begins with this event: the first rule that holds. It depends only on the event, so
    -- it is computed once, when the event is stored. Domains that end in a dot are brands, with any public suffix.
    -- Subdomains count too.
    channel         LowCardinality(String) DEFAULT multiIf(
        -- An ad's click id, in its own column or in the query string.
        gclid != '' OR fbclid != '' OR msclkid != '' OR ttclid != '' OR li_fat_id != '' OR twclid != ''
            OR arrayExists(
                pair -> position(pair, '=') BETWEEN 1 AND length(pair) - 1
                    AND lowerUTF8(decodeURLFormComponent(substring(pair, 1, position(pair, '=') - 1))) IN (
                        'ad_id', 'aid', 'dclid', 'epik', 'fbclid', 'gclid', 'li_fat_id', 'msclkid',
                        'ob_click_id', 'pc_id', 'rdt_cid', 'scid', 'ttclid', 'twclid'),
                splitByChar('&', url_query)),
        'paidAds',

        (lowerUTF8(utm_medium) AS landing_medium) IN ('referral', 'app', 'link'), 'referral',
        landing_medium IN ('affiliate', 'affiliates'), 'affiliate',
        landing_medium = 'sms' OR (lowerUTF8(utm_source) AS landing_source) = 'sms', 'sms',

        -- The site is the foreign referrer; without one, a source that looks like a domain.
        match(
            (toLowCardinality(if(
                (if(
                    hostname = '' OR referrer_domain != hostname
                        AND referrer_domain != if(startsWith(hostname, 'www.'), substring(hostname, 5), hostname),
                    replaceRegexpOne(lowerUTF8(referrer_domain), '^www[.]', ''), '') AS landing_referrer) = ''
                    AND position(landing_source, '.') > 0,
                landing_source, landing_referrer)) AS landing_site),
            '^(?:.*[.])?(?:chatgpt[.]com|claude[.]ai|copilot[.]microsoft[.]com|gemini[.]google[.]com|meta[.]ai|perplexity[.]ai)$'),
        'llm',

        match(landing_site, concat(
            '^(?:.*[.])?(?:mail[.]google[.]com|outlook[.]live[.]com|outlook[.]office[.]com|proton[.]me',
            '|(?:gmail|hotmail|mail[.]yahoo|outlook|protonmail)[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
            OR position(landing_medium, 'mail') > 0,
        'email',

        match(landing_site, concat(
            '^(?:.*[.])?(?:baidu[.]com|bing[.]com|duckduckgo[.]com|ecosia[.]org|msn[.]com|search[.]brave[.]com',
            '|(?:google|yandex)[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
            OR landing_medium = 'organic',
        if((match(landing_medium, '^(.*cp.*|ppc|retargeting|paid.*)$') AS is_paid_landing), 'paidSearch', 'organicSearch'),

        match(landing_site, concat(
            '^(?:.*[.])?(?:bsky[.]app|facebook[.]com|fb[.]com|ig[.]com|instagram[.]com|news[.]ycombinator[.]com',
            '|t[.]co|threads[.]net|twitter[.]com|x[.]com',
            '|(?:linkedin|pinterest|reddit|snapchat|tiktok)[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
            OR landing_medium IN ('social', 'social-network', 'social-media', 'sm'),
        if(is_paid_landing, 'paidSocial', 'organicSocial'),

        match(landing_site, concat(
            '^(?:.*[.])?(?:alibaba[.]com|aliexpress[.]com|bestbuy[.]com|ebay[.]com|etsy[.]com|newegg[.]com|target[.]com|walmart[.]com',
            '|amazon[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$'))
            OR match(landing_medium, '(^|[^a-df-z])shop|shopping'),
        if(is_paid_landing, 'paidShopping', 'organicShopping'),

        match(landing_site, '^(?:.*[.])?(?:vimeo[.]com|(?:twitch|youtube)[.](?:[a-z]+|[a-z]{2,3}[.][a-z]{2}))$')
            OR position(landing_medium, 'video') > 0,
        if(is_paid_landing, 'paidVideo', 'organicVideo'),

        is_paid_landing, 'paidAds',
        landing_referrer != '', 'referral',
        'direct')
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
