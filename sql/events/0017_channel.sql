-- The channel by which a visit came if it began with this event: the first rule that holds. It depends on nothing but
-- the event, so it is judged once, when the event is stored, and not for each visit of each question. Entries of the
-- lists that end in a dot are brands, with any public suffix; subdomains count too.
ALTER TABLE events ADD COLUMN IF NOT EXISTS channel LowCardinality(String) DEFAULT multiIf(
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
    'direct');

ALTER TABLE events MATERIALIZE COLUMN channel SETTINGS mutations_sync = 2;
