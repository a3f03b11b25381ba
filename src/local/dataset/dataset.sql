-- Events of invented websites, generated inside ClickHouse: numbers are turned into visits, visits into events, and
-- properties are added to custom events. Nothing is random: each value comes from a hash of the seed, a number (of the
-- visitor, the visit or the event) and a word, so equal parameters always give equal rows.

insert into ingest (
  website_id, session_id, visit_id, event_id, created_at, event_type, event_name,
  hostname, browser, os, device, screen, language, country, region, city,
  url_path, url_query, utm_source, utm_medium, utm_campaign, utm_content, utm_term,
  referrer_path, referrer_query, referrer_domain, page_title, tag, distinct_id,
  ttfb, fcp, lcp, inp, cls,
  properties.key, properties.data_type, properties.string_value, properties.number_value, properties.date_value
)
with
  {website_edges:Array(Float64)} as website_edges, -- cumulative shares of the websites
  {visit_lengths:Array(UInt8)} as visit_lengths, -- events per visit, repeated
  {marks:Array(UInt32)} as marks, -- seconds after `start` that divide the time range into spans of equal traffic

  -- Choosing a value: `chance` is uniform in [0, 1), `one_of` chooses uniformly, `mostly_first` chooses the k-th
  -- about 1/k as often as the first.
  (number, what) -> cityHash64({seed:UInt32}, number, what) as hash,
  (hashed) -> bitShiftRight(hashed, 11) / 9007199254740992 as fraction,
  (number, what) -> fraction(hash(number, what)) as chance,
  (choices, drawn) -> choices[toUInt32(1 + drawn * length(choices))] as one_of,
  (size, drawn) -> toUInt32(pow(size + 1, drawn)) as rank,
  (choices, drawn) -> choices[rank(length(choices), drawn)] as mostly_first,

  -- Identifiers are hashes with the version and variant bits of a version 4 UUID, which strict readers check.
  reinterpretAsUInt128(toUUID('ffffffff-ffff-0fff-3fff-ffffffffffff')) as kept_bits,
  reinterpretAsUInt128(toUUID('00000000-0000-4000-8000-000000000000')) as version_bits,
  (number, what) -> reinterpretAsUInt128(sipHash128({seed:UInt32}, number, what)) as wide_hash,
  (number, what) -> reinterpretAsUUID(bitOr(bitAnd(wide_hash(number, what), kept_bits), version_bits)) as identifier,

  -- Visitors: browser, os, device, screen; country, region, city, language.
  [
    ('chrome', 'Windows 10', 'desktop', '1920x1080'), ('safari', 'iOS', 'mobile', '390x844'),
    ('chrome', 'Android OS', 'mobile', '412x915'), ('chrome', 'Mac OS', 'laptop', '1440x900'),
    ('safari', 'Mac OS', 'laptop', '1512x982'), ('edge', 'Windows 10', 'desktop', '2560x1440'),
    ('firefox', 'Windows 10', 'desktop', '1920x1080'), ('samsung', 'Android OS', 'mobile', '360x780'),
    ('chrome', 'Windows 10', 'laptop', '1536x864'), ('firefox', 'Linux', 'desktop', '1920x1200'),
    ('safari', 'iOS', 'mobile', '430x932'), ('safari', 'iOS', 'tablet', '820x1180'),
    ('edge', 'Windows 10', 'laptop', '1366x768'), ('chrome', 'Chrome OS', 'laptop', '1366x768'),
    ('firefox', 'Mac OS', 'laptop', '1728x1117'), ('chrome', 'Android OS', 'tablet', '800x1280'),
    ('opera', 'Windows 10', 'desktop', '1920x1080'), ('facebook', 'Android OS', 'mobile', '393x873'),
    ('instagram', 'iOS', 'mobile', '393x852'), ('firefox', 'Android OS', 'mobile', '412x892')
  ] as machines,
  [
    ('US', 'US-CA', 'San Francisco', 'en-US'), ('GB', 'GB-ENG', 'London', 'en-GB'),
    ('DE', 'DE-BE', 'Berlin', 'de-DE'), ('US', 'US-NY', 'New York', 'en-US'),
    ('FR', 'FR-IDF', 'Paris', 'fr-FR'), ('IN', 'IN-KA', 'Bengaluru', 'en-IN'),
    ('US', 'US-TX', 'Austin', 'en-US'), ('CA', 'CA-ON', 'Toronto', 'en-CA'),
    ('BR', 'BR-SP', 'São Paulo', 'pt-BR'), ('NL', 'NL-NH', 'Amsterdam', 'nl-NL'),
    ('US', 'US-WA', 'Seattle', 'en-US'), ('JP', 'JP-13', 'Tokyo', 'ja-JP'),
    ('AU', 'AU-NSW', 'Sydney', 'en-AU'), ('ES', 'ES-MD', 'Madrid', 'es-ES'),
    ('DE', 'DE-BY', 'Munich', 'de-DE'), ('US', 'US-IL', 'Chicago', 'en-US'),
    ('IT', 'IT-25', 'Milan', 'it-IT'), ('SE', 'SE-AB', 'Stockholm', 'sv-SE'),
    ('PL', 'PL-14', 'Warsaw', 'pl-PL'), ('MX', 'MX-CMX', 'Mexico City', 'es-MX'),
    ('US', 'US-CA', 'Los Angeles', 'en-US'), ('CH', 'CH-ZH', 'Zürich', 'de-CH'),
    ('IE', 'IE-L', 'Dublin', 'en-IE'), ('SG', 'SG-01', 'Singapore', 'en-SG'),
    ('IN', 'IN-MH', 'Mumbai', 'en-IN'), ('US', 'US-MA', 'Boston', 'en-US'),
    ('AT', 'AT-9', 'Vienna', 'de-AT'), ('BE', 'BE-BRU', 'Brussels', 'fr-BE'),
    ('PT', 'PT-11', 'Lisbon', 'pt-PT'), ('DK', 'DK-84', 'Copenhagen', 'da-DK'),
    ('GB', 'GB-SCT', 'Edinburgh', 'en-GB'), ('ES', 'ES-CT', 'Barcelona', 'ca-ES'),
    ('KR', 'KR-11', 'Seoul', 'ko-KR'), ('US', 'US-CO', 'Denver', 'en-US'),
    ('CA', 'CA-BC', 'Vancouver', 'en-CA'), ('NO', 'NO-03', 'Oslo', 'nb-NO'),
    ('FI', 'FI-18', 'Helsinki', 'fi-FI'), ('CZ', 'CZ-10', 'Prague', 'cs-CZ'),
    ('DE', 'DE-HH', 'Hamburg', 'de-DE'), ('AU', 'AU-VIC', 'Melbourne', 'en-AU'),
    ('US', 'US-GA', 'Atlanta', 'en-US'), ('FR', 'FR-ARA', 'Lyon', 'fr-FR'),
    ('AR', 'AR-C', 'Buenos Aires', 'es-AR'), ('TR', 'TR-34', 'Istanbul', 'tr-TR'),
    ('ZA', 'ZA-WC', 'Cape Town', 'en-ZA'), ('NG', 'NG-LA', 'Lagos', 'en-NG'),
    ('CL', 'CL-RM', 'Santiago', 'es-CL'), ('CO', 'CO-DC', 'Bogotá', 'es-CO'),
    ('IL', 'IL-TA', 'Tel Aviv', 'he-IL'), ('RO', 'RO-B', 'Bucharest', 'ro-RO'),
    ('GR', 'GR-I', 'Athens', 'el-GR'), ('HU', 'HU-BU', 'Budapest', 'hu-HU'),
    ('NZ', 'NZ-AUK', 'Auckland', 'en-NZ'), ('TW', 'TW-TPE', 'Taipei', 'zh-TW'),
    ('ID', 'ID-JK', 'Jakarta', 'id-ID'), ('PH', 'PH-00', 'Manila', 'en-PH'),
    ('VN', 'VN-SG', 'Ho Chi Minh City', 'vi-VN'), ('TH', 'TH-10', 'Bangkok', 'th-TH'),
    ('UA', 'UA-30', 'Kyiv', 'uk-UA'), ('KE', 'KE-30', 'Nairobi', 'en-KE'),
    ('EG', 'EG-C', 'Cairo', 'ar-EG'), ('AE', 'AE-DU', 'Dubai', 'ar-AE'),
    ('CA', 'CA-QC', 'Montréal', 'fr-CA'), ('BR', 'BR-RJ', 'Rio de Janeiro', 'pt-BR')
  ] as places,

  -- Sources: 20 known domains and 280 made of two words; the campaigns, which bring a tenth of the visits.
  [
    'google.com', 'bing.com', 'duckduckgo.com', 'news.ycombinator.com', 'github.com', 'reddit.com', 't.co',
    'linkedin.com', 'facebook.com', 'youtube.com', 'chatgpt.com', 'instagram.com', 'ecosia.org', 'medium.com',
    'stackoverflow.com', 'search.brave.com', 'baidu.com', 'yandex.ru', 'producthunt.com', 'pinterest.com'
  ] as known_domains,
  ['.com', '.net', '.org', '.blog', '.de', '.co.uk', '.fr', '.io'] as endings,
  [
    ('google', 'cpc', 'spring-sale', 'headline-a', 'linen jacket'), ('newsletter', 'email', 'weekly', 'top-link', ''),
    ('facebook', 'paid-social', 'spring-sale', 'carousel', ''), ('linkedin', 'social', 'case-studies', '', ''),
    ('google', 'cpc', 'brand', 'headline-b', 'harbour shop'), ('x', 'social', 'launch', 'thread', ''),
    ('partner', 'referral', 'summer-guide', 'banner', ''), ('instagram', 'paid-social', 'summer-guide', 'story', '')
  ] as campaigns,

  -- Pages: ten popular pages, then 1,990 in sections, each named with two words.
  ['harbour', 'meadow', 'atlas', 'lantern', 'orchard', 'compass', 'juniper', 'quarry', 'saffron', 'tidal'] as brands,
  [
    ('/', 'Home'), ('/products', 'All Products'), ('/pricing', 'Pricing'), ('/blog', 'Blog'), ('/checkout', 'Checkout'),
    ('/docs', 'Documentation'), ('/signup', 'Create an Account'), ('/cart', 'Your Cart'), ('/search', 'Search'),
    ('/contact', 'Contact')
  ] as leading_pages,
  ['products', 'blog', 'guides', 'docs', 'help'] as sections,
  [
    'linen', 'cotton', 'oak', 'ceramic', 'copper', 'wool', 'leather', 'paper', 'steel', 'bamboo', 'canvas', 'glass',
    'marble', 'velvet', 'walnut', 'cork', 'silk', 'brass', 'denim', 'rattan'
  ] as materials,
  [
    'jacket', 'lamp', 'chair', 'mug', 'backpack', 'notebook', 'table', 'scarf', 'bottle', 'blanket', 'shelf', 'basket',
    'clock', 'apron', 'vase', 'wallet', 'mirror', 'tray', 'stool', 'cushion'
  ] as goods,
  [
    'measuring', 'importing', 'sharing', 'filtering', 'exporting', 'comparing', 'grouping', 'tracking', 'planning',
    'testing', 'writing', 'automating', 'securing', 'explaining', 'migrating', 'designing', 'caching', 'counting',
    'naming', 'reviewing'
  ] as activities,
  [
    'retention', 'events', 'funnels', 'reports', 'teams', 'goals', 'segments', 'campaigns', 'sessions', 'dashboards',
    'queries', 'webhooks', 'keys', 'cohorts', 'journeys', 'alerts', 'properties', 'revenue', 'invoices', 'releases'
  ] as topics,
  ['', ' sale', ' gift', ' large', ' small', ' used', ' blue', ' red', ' green', ' set', ' new', ' top'] as refinements,
  (first, second, number) -> concat(first[number % 20 + 1], ' ', second[intDiv(number, 20) % 20 + 1]) as two_words,

  -- The custom events of each section and their properties; an event has the first few of them (1 string, 2 number, 3
  -- boolean, 4 date, 5 array).
  map(
    '', ['search', 'newsletter', 'video_play', 'signup'],
    'products', ['add_to_cart', 'search', 'wishlist', 'share'],
    'pricing', ['signup', 'video_play', 'download', 'feedback'],
    'blog', ['newsletter', 'share', 'search', 'video_play'],
    'guides', ['share', 'download', 'video_play', 'add_to_cart'],
    'checkout', ['purchase', 'newsletter', 'feedback'],
    'docs', ['search', 'download', 'feedback', 'video_play'],
    'signup', ['signup', 'newsletter'],
    'cart', ['purchase', 'add_to_cart', 'wishlist'],
    'search', ['search'],
    'contact', ['feedback', 'newsletter'],
    'help', ['search', 'feedback', 'video_play', 'download']
  ) as actions,
  map(
    'search', [('query', 1), ('results', 2), ('exact', 3), ('filters', 5), ('since', 4)],
    'add_to_cart', [('product', 1), ('price', 2), ('quantity', 2), ('gift', 3), ('options', 5)],
    'newsletter', [('topic', 1), ('consent', 3), ('frequency', 1), ('topics', 5), ('starts_at', 4)],
    'share', [('network', 1), ('topic', 1), ('words', 2), ('with_comment', 3), ('tags', 5)],
    'signup', [('plan', 1), ('method', 1), ('seats', 2), ('trial', 3), ('trial_ends', 4)],
    'video_play', [('video', 1), ('position', 2), ('muted', 3), ('quality', 1), ('chapters', 5)],
    'download', [('file', 1), ('format', 1), ('size', 2), ('published', 4), ('resumed', 3)],
    'purchase', [('revenue', 2), ('currency', 1), ('order_id', 1), ('items', 5), ('first_order', 3)],
    'feedback', [('rating', 2), ('topic', 1), ('helpful', 3), ('tags', 5), ('reply_by', 4)],
    'wishlist', [('product', 1), ('price', 2), ('public', 3), ('remind_at', 4), ('tags', 5)]
  ) as carried,

  -- A property's value, from its key and one hash.
  (key, drawn) -> toDecimal64(multiIf(
    key = 'rating', 1 + floor(drawn * 5),
    key in ('price', 'revenue'), floor(400 * pow(200, drawn)),
    key in ('quantity', 'seats'), floor(pow(20, drawn)),
    floor(pow(500, drawn))
  ), 4) / if(key in ('price', 'revenue'), 100, 1) as number_of,
  (key, moment, drawn) -> moment + toInt32(drawn * 2592000) * if(key in ('since', 'published'), -1, 1) as date_of,
  (key, hashed, drawn) -> multiIf(
    key = 'currency', mostly_first(['USD', 'EUR'], drawn),
    key = 'order_id', concat('ord_', lower(hex(hashed))),
    key = 'query', concat(
      two_words(materials, goods, rank(400, drawn)), one_of(refinements, fraction(intHash64(hashed)))
    ),
    key = 'product', two_words(materials, goods, rank(400, drawn)),
    key = 'topic', mostly_first(topics, drawn),
    key in ('video', 'file'), two_words(activities, topics, rank(60, drawn)),
    key = 'plan', mostly_first(['free', 'team', 'business', 'enterprise'], drawn),
    key = 'method', mostly_first(['email', 'google', 'github', 'sso'], drawn),
    key = 'network', mostly_first(['linkedin', 'x', 'mastodon', 'email', 'bluesky'], drawn),
    key = 'frequency', mostly_first(['weekly', 'monthly', 'daily'], drawn),
    key = 'quality', mostly_first(['1080p', '720p', '2160p', '480p'], drawn),
    mostly_first(['pdf', 'csv', 'zip', 'epub', 'json'], drawn)
  ) as word_of,
  (key, drawn) -> toJSONString(arraySlice(
    if(key in ('items', 'options', 'filters'), materials, topics),
    toUInt32(1 + drawn * 16),
    toUInt32(drawn * 97) % 4 + 1
  )) as list_of,

  visits as (
    select
      number as visit,

      -- The visitor: a new one, or a regular (every eighth visitor), known for two hours to thirty days.
      toInt64(number - {visits_per_day:UInt32} * pow(360, chance(number, 'absence')) / 12) as earlier,
      if(earlier >= 0 and chance(number, 'returns') < 0.6, earlier - earlier % 8, toInt64(number)) as visitor,
      arrayFirstIndex(edge -> chance(visitor, 'website') < edge, website_edges) as website,
      brands[(website - 1) % 10 + 1] as brand,
      concat(brand, if(website > 10, concat('-', toString(intDiv(website - 1, 10) + 1)), ''), '.example') as hostname,
      mostly_first(machines, chance(visitor, 'machine')) as machine,
      mostly_first(places, chance(visitor, 'place')) as place,
      if(chance(visitor, 'language') < 0.15, 'en-US', place.4) as language,
      if(chance(visitor, 'identified') < 0.15, concat('user_', toString(visitor)), '') as distinct_id,

      -- The source of the visit.
      chance(visit, 'campaign') as advertised,
      if(advertised < 0.1, mostly_first(campaigns, advertised * 10), ('', '', '', '', '')) as campaign,
      rank(300, chance(visit, 'source')) as source,
      multiIf(
        chance(visit, 'direct') < 0.45, '',
        source <= 20, known_domains[source],
        concat(replaceOne(two_words(goods, brands, source), ' ', ''), endings[source % 8 + 1])
      ) as referrer,
      if(chance(visit, 'experiment') < 0.05, one_of(['variant-a', 'variant-b'], chance(visit, 'variant')), '') as tag,

      -- The events of the visit: each one's kind, page (1, 2, …) and time in milliseconds.
      visit_lengths[visit % length(visit_lengths) + 1] as events,
      arrayMap(step -> chance(visit * 64 + step, 'kind'), range(1, events)) as draws,
      arrayConcat([1], arrayMap(
        drawn -> multiIf(drawn < 0.36, 2, drawn < 0.365, 3, drawn < 0.37, 4, drawn < 0.382, 5, 1), draws
      )) as kinds,
      arrayCumSum(arrayMap(kind -> kind = 1, kinds)) as pages,
      arrayMap(step -> toInt64(500 * pow(400, chance(visit * 64 + step, 'pause'))), range(1, events)) as pauses,
      arrayConcat([0], arrayCumSum(pauses)) as moments,

      -- The start of the visit: between two of the marks, but early enough for the visit to end before the dataset
      -- does.
      (visit - {first_visit:UInt64} + chance(visit, 'start')) / {visits:UInt64} * (length(marks) - 1) as position,
      toUInt32(position) as span,
      marks[span + 1] + (marks[span + 2] - marks[span + 1]) * (position - span) as seconds,
      {end:Int64} - moments[-1] - toInt64(60000 * chance(visit, 'margin')) as latest,
      least({start:Int64} + toInt64(seconds * 1000), latest) as started
    from numbers({first_visit:UInt64}, {visits:UInt64})
  ),

  steps as (
    select
      *,
      kind,
      page,
      visit * 64 + step as event,
      fromUnixTimestamp64Milli(started + moment, 'UTC') as created_at,

      -- Each website has different popular pages in its sections.
      rank(2000, chance(visit * 64 + page, 'page')) as page_rank,
      (page_rank + 37 * website) % 1990 as page_number,
      sections[page_number % 5 + 1] as section,
      intDiv(page_number, 5) as title_number,
      if(
        section = 'products', two_words(materials, goods, title_number), two_words(activities, topics, title_number)
      ) as title,
      multiIf(
        kind = 3, (concat('/q/', brands[page_rank % 10 + 1]), ''),
        kind = 4, (concat('/p/', brands[page_rank % 10 + 1]), ''),
        page_rank <= 10, leading_pages[page_rank],
        (concat('/', section, '/', replaceOne(title, ' ', '-')), concat(initcap(title), ' - ', initcap(section)))
      ) as seen,

      if(kind = 2, mostly_first(actions[splitByChar('/', seen.1)[2]], chance(event, 'action')), '') as event_name,
      if(chance(event, 'bare') < 0.1, 0, toUInt32(1 + chance(event, 'properties') * 5)) as amount,
      arraySlice(carried[event_name], 1, amount) as properties,
      properties.1 as keys,
      properties.2 as types,
      arrayMap(key -> hash(event, key), keys) as hashes,

      -- The referrer and the campaign of a visit belong to its first page.
      page = 1 and kind in (1, 2) as landing,
      multiIf(landing, referrer, chance(event, 'inner') < 0.3, hostname, '') as referrer_domain,
      if(landing, campaign, ('', '', '', '', '')) as utm,

      -- Web vitals: times in milliseconds, each after the one before, and the layout shift. Some visitors never touch
      -- the page.
      kind = 5 as measured,
      round(40 * pow(30, chance(event, 'ttfb'))) as first_byte,
      first_byte + round(200 * pow(12, chance(event, 'fcp'))) as first_paint,
      first_paint + round(100 * pow(40, chance(event, 'lcp'))) as largest_paint
    from visits
    array join kinds as kind, pages as page, moments as moment, arrayEnumerate(kinds) as step
  )

select
  {website_ids:Array(UUID)}[website] as website_id,
  identifier(visitor, 'session') as session_id,
  identifier(visit, 'visit') as visit_id,
  identifier(event, 'event') as event_id,
  created_at,
  kind as event_type,
  event_name,

  hostname,
  machine.1 as browser,
  machine.2 as os,
  machine.3 as device,
  machine.4 as screen,
  language,
  place.1 as country,
  place.2 as region,
  place.3 as city,

  seen.1 as url_path,
  multiIf(
    utm.1 != '', concat('utm_source=', utm.1, '&utm_medium=', utm.2, '&utm_campaign=', utm.3),
    url_path = '/search', concat('q=', replaceOne(two_words(materials, goods, page_number), ' ', '+')),
    chance(visit * 64 + page, 'listing') < 0.04, concat('page=', toString(2 + page_number % 30)),
    ''
  ) as url_query,
  utm.1 as utm_source,
  utm.2 as utm_medium,
  utm.3 as utm_campaign,
  utm.4 as utm_content,
  utm.5 as utm_term,
  multiIf(
    referrer_domain = '', '',
    referrer_domain = hostname or source <= 12, '/',
    concat('/', topics[source % 20 + 1])
  ) as referrer_path,
  if(referrer_domain = 'bing.com', 'q=harbour', '') as referrer_query,
  referrer_domain,
  seen.2 as page_title,
  tag,
  distinct_id,

  if(measured, first_byte, null) as ttfb,
  if(measured, first_paint, null) as fcp,
  if(measured, largest_paint, null) as lcp,
  if(measured and chance(event, 'touched') < 0.7, round(24 * pow(30, chance(event, 'inp'))), null) as inp,
  if(measured, round(0.002 * pow(250, chance(event, 'cls')), 4), null) as cls,

  keys,
  types,
  arrayMap((key, type, number, date, hashed) -> multiIf(
    type = 2, toDecimalString(assumeNotNull(number), 4),
    type = 3, if(hashed % 2 = 0, 'true', 'false'),
    type = 4, formatDateTime(assumeNotNull(date), '%Y-%m-%dT%H:%i:%SZ'),
    type = 5, list_of(key, fraction(hashed)),
    word_of(key, hashed, fraction(hashed))
  ), keys, types, number_values, date_values, hashes) as string_values,
  arrayMap(
    (key, type, hashed) -> if(type = 2, number_of(key, fraction(hashed)), null),
    keys, types, hashes
  ) as number_values,
  arrayMap(
    (key, type, hashed) -> if(type = 4, date_of(key, toDateTime(created_at), fraction(hashed)), null),
    keys, types, hashes
  ) as date_values
from steps
