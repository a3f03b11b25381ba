-- Channels by the lists number 1 of src/channel-lists.ts. `npm run channels` wrote this file. The first rule that
-- holds decides. A domain of a list stands for itself and what is below it; a brand has any public suffix. Rows that
-- are stored keep their channel and the number of its lists, until `weir rebuild --channels`.
ALTER TABLE events
    MODIFY COLUMN channel LowCardinality(String) DEFAULT multiIf(
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
    MODIFY COLUMN channel_lists UInt8 DEFAULT 1;
