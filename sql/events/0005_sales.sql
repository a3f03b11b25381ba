-- One row per event and currency: revenue found in an event's properties. Web vitals have none. Reports of revenue read
-- the rows of one currency and no properties. The table has every column that a filter needs.
--
-- A revenue key ends in `revenue`, alone or after a dot, in any letter case; a currency key in `currency`. What stands
-- before is the prefix, here with its dot. The currency of a revenue is the one of the same prefix, else of the next
-- shorter prefix that has one. Of keys that differ in letter case only, the first in the order of their text counts.
CREATE TABLE IF NOT EXISTS sales
(
    website_id      LowCardinality(UUID),
    currency        LowCardinality(String),
    created_at      DateTime64(3, 'UTC') CODEC(Delta(8), LZ4),
    event_id        UUID CODEC(NONE),
    session_id      UUID,
    visit_id        UUID,
    event_type      UInt8,
    event_name      LowCardinality(String),
    amount          Decimal(38, 4),
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
    distinct_id     String CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY toYYYYMM(created_at)
ORDER BY (website_id, currency, created_at, event_id)
PRIMARY KEY (website_id, currency, created_at)
SETTINGS index_granularity = 1024,
    min_age_to_force_merge_seconds = 3600, min_age_to_force_merge_on_partition_only = 1,
    non_replicated_deduplication_window = 10000;

CREATE MATERIALIZED VIEW IF NOT EXISTS sales_from_custom_events TO sales DEFINER = CURRENT_USER SQL SECURITY DEFINER AS
SELECT
    website_id, currency, created_at, event_id, session_id, visit_id, event_type, event_name,
    arraySum(arrayMap(sale -> if(sale.1 = currency, sale.2, toDecimal128(0, 4)), sold)) AS amount,
    hostname, browser, os, device, language, country, region, city, url_path, url_query,
    utm_source, utm_medium, utm_campaign, utm_content, utm_term, referrer_domain, page_title, tag, distinct_id
FROM
(
    SELECT
        *,
        -- The currency and the amount of each revenue that has both. The fifth place of a text rounds the fourth, half
        -- away from zero: what a cast cuts off is made one more.
        arrayFilter(sale -> sale.1 != '', arrayMap(
            revenue -> (
                arrayFirst(named -> startsWith(substring(revenue.1, 1, length(revenue.1) - 7), named.1), currencies).2,
                if(
                    revenue.2 = 2,
                    CAST(ifNull(revenue.4, 0) AS Decimal(38, 4)),
                    CAST(
                        toDecimal128OrZero(substring(revenue.3, 1, if(
                            position(revenue.3, '.') = 0, length(revenue.3), position(revenue.3, '.') + 5)), 5)
                        + if(startsWith(revenue.3, '-'), toDecimal128('-0.00005', 5), toDecimal128('0.00005', 5))
                        AS Decimal(38, 4)))),
            arrayFilter(
                revenue -> revenue.2 = 2 OR revenue.2 = 1 AND match(revenue.3, '^-?[0-9]{1,18}([.][0-9]+)?$'),
                revenues))) AS sold
    FROM
    (
        SELECT
            * EXCEPT (named_revenue, named_currency),
            arrayFilter(
                (property, place) ->
                    indexOf(arrayMap(one -> lowerUTF8(one.1), named_revenue), lowerUTF8(property.1)) = place,
                named_revenue, arrayEnumerate(named_revenue)) AS revenues,
            -- Prefix and currency of each currency key that has a text, the longest prefix first. All white space of
            -- Unicode around the text is cut off.
            arraySort(named -> -length(named.1), arrayFilter(named -> named.2 != '', arrayMap(
                property -> (
                    substring(property.1, 1, length(property.1) - 8),
                    if(property.2 = 1, upperUTF8(replaceRegexpAll(
                        property.3,
                        '^[\\s\\v\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+|[\\s\\v\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}]+$',
                        '')), '')),
                arrayFilter(
                    (property, place) ->
                        indexOf(arrayMap(one -> lowerUTF8(one.1), named_currency), lowerUTF8(property.1)) = place,
                    named_currency, arrayEnumerate(named_currency))))) AS currencies
        FROM
        (
            SELECT
                *,
                arrayZip(`properties.key`, `properties.data_type`, `properties.string_value`, `properties.number_value`) AS property,
                arrayFilter(one -> endsWith(concat('.', lower(one.1)), '.revenue'), property) AS named_revenue,
                arrayFilter(one -> endsWith(concat('.', lower(one.1)), '.currency'), property) AS named_currency
            FROM custom_events
            -- A shape is looked at once for all of its events.
            WHERE event_type < 5 AND match(shape, '(?i)[".]revenue"') AND match(shape, '(?i)[".]currency"')
        )
    )
)
ARRAY JOIN arrayDistinct(sold.1) AS currency;
