import { type Caller, callers, ids, knownEvent, password } from './names.ts'

/**
 * Some 3,000 requests, always the same. Names and paths are written out here: the list stays what it is when `src`
 * changes.
 */

export interface Asked {
  readonly method: string
  /** With the query string. `{{name}}` stands for what an earlier answer was kept as, or for a moment of now. */
  readonly path: string
  readonly caller: Caller
  readonly headers?: Readonly<Record<string, string>>
  /** JSON, but for a text, which is sent as it is. */
  readonly body?: unknown
  /** Asked once more: the next page as `Link` has it, so many times; or with the ETag that was answered. */
  readonly again?: { readonly next: number } | 'etag'
  /** Members of the answer that later requests name, by the name they are given. */
  readonly keep?: Readonly<Record<string, string>>
}

type Query = Readonly<Record<string, string | number>> | readonly (readonly [string, string | number])[]

const queryOf = (query: Query): string =>
  (Array.isArray(query) ? (query as readonly (readonly [string, string | number])[]) : Object.entries(query))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')

const pathOf = (path: string, query: Query = {}): string => {
  const text = queryOf(query)
  return text === '' ? path : `${path}?${text}`
}

type More = Partial<Omit<Asked, 'method' | 'path'>>

const get = (path: string, query: Query = {}, more: More = {}): Asked => ({
  method: 'GET',
  path: pathOf(path, query),
  caller: 'operator',
  ...more,
})

const post = (path: string, body: unknown, caller: Caller = 'operator', more: More = {}): Asked => ({
  method: 'POST',
  path,
  caller,
  ...(body !== undefined && { body }),
  ...more,
})

const remove = (path: string, caller: Caller = 'operator', more: More = {}): Asked => ({
  method: 'DELETE',
  path,
  caller,
  ...more,
})

/** The same with another method. */
const as = (method: string, asked: Asked): Asked => ({ ...asked, method })

/** The item at this place, over and over. */
const turn = <Item>(list: readonly Item[], place: number): Item => list[place % list.length]!

const { website, user, team, share, segment, key, nobody } = ids
const siteOf = (name: string): string => `/api/websites/${website[name]}`
const own = siteOf('own')

const day = 86_400_000
const october = { startAt: Date.UTC(2025, 9, 1), endAt: Date.UTC(2025, 10, 1) - 1 } as const
const oneDay = { startAt: Date.UTC(2025, 9, 15), endAt: Date.UTC(2025, 9, 16) - 1 } as const
const always = { startAt: Date.UTC(2023, 0, 1), endAt: Date.UTC(2026, 0, 1) - 1 } as const

interface Report {
  readonly path: string
  /** Beside the range. */
  readonly needs?: Readonly<Record<string, string>>
  readonly kind: 'pages' | 'slices' | 'one'
  readonly isExported: boolean
}

const reports = [
  { path: 'events', kind: 'pages', isExported: true },
  { path: 'events/stats', kind: 'one', isExported: false },
  { path: 'event-data', kind: 'pages', isExported: true },
  { path: 'event-data/events', kind: 'slices', isExported: true },
  { path: 'event-data/fields', kind: 'slices', isExported: true },
  { path: 'event-data/properties', kind: 'slices', isExported: true },
  { path: 'event-data/values', needs: { propertyName: 'plan' }, kind: 'slices', isExported: true },
  { path: 'event-data/stats', kind: 'one', isExported: false },
  { path: 'event-data-pivot', needs: { eventName: 'buy' }, kind: 'pages', isExported: true },
] as const satisfies readonly Report[]

const lists = reports.filter(({ kind }) => kind === 'pages')
const slices = reports.filter(({ kind }) => kind === 'slices')
const exports = reports.filter(({ isExported }) => isExported)

const ask = (report: Report, query: Query = {}, more: More & { site?: string; range?: Query } = {}): Asked => {
  const { site = own, range = october, ...rest } = more
  const entries = (one: Query) => (Array.isArray(one) ? one : Object.entries(one)) as [string, string | number][]
  return get(`${site}/${report.path}`, [...entries(range), ...entries(report.needs ?? {}), ...entries(query)], rest)
}

/** The same of each report. */
const everywhere = (query: Query, more: Parameters<typeof ask>[2] = {}): Asked[] =>
  reports.map((report) => ask(report, query, more))

// Every endpoint, by every kind of caller.

const site = '/api/websites/:websiteId'

/** Everything that only reads, with a good query string. */
const reading: readonly (readonly [path: string, query?: Query])[] = [
  ...reports.map(
    (report) => [`${site}/${report.path}`, { ...oneDay, ...('needs' in report ? report.needs : {}) }] as const,
  ),
  [`${site}/event-data/${knownEvent}`],
  ['/api/websites'],
  [site],
  [`${site}/shares`],
  [`${site}/segments`, { type: 'segment' }],
  [`${site}/segments/:segmentId`],
  ['/api/share/:slug'],
  ['/api/share/id/:shareId'],
  ['/api/teams'],
  ['/api/teams/:teamId'],
  ['/api/teams/:teamId/users'],
  ['/api/teams/:teamId/users/:userId'],
  ['/api/teams/:teamId/websites'],
  ['/api/me'],
  ['/api/me/teams'],
  ['/api/me/websites'],
  ['/api/me/api-keys'],
  ['/api/users'],
  ['/api/users/:userId'],
  ['/api/users/:userId/teams'],
  ['/api/users/:userId/websites'],
  ['/api/admin/users'],
  ['/api/admin/teams'],
  ['/api/admin/websites'],
  ['/health'],
  ['/openapi.json'],
]

interface Target {
  readonly websiteId: string
  readonly [name: string]: string
}

const target: Target = {
  websiteId: website.own!,
  teamId: team.ours!,
  userId: user.member!,
  segmentId: segment.chrome!,
  shareId: share.lasting!,
  slug: 'slug-of-lasting',
  keyId: key.doomed!,
}

const filled = (path: string, ids: Target): string => path.replace(/:(\w+)/g, (_, name: string) => ids[name]!)

/** Members of the team are asked about its website, and everyone about the one that is public. */
const targetOf = (caller: Caller): Target => {
  if (caller.startsWith('team-') || caller === 'view-only') return { ...target, websiteId: website.teams! }
  return caller === 'public' ? { ...target, websiteId: website.public! } : target
}

const byEveryone = callers.flatMap((caller) => [
  ...reading
    .filter(([path]) => path !== '/openapi.json' || caller === 'none')
    .map(([path, query]) => get(filled(path, targetOf(caller)), query, { caller })),
  post('/api/auth/verify', undefined, caller),
  post('/api/read', { paths: [pathOf(`${siteOf('own')}/events/stats`, oneDay), '/api/me', siteOf('teams')] }, caller),
])

// Filters.

const fields: readonly (readonly [name: string, value: string, other: string, part: string, pattern: string])[] = [
  ['path', '/pricing', '/a\\,b', 'PRI', '^/(über|blog)'],
  ['referrer', 'google.com', 'own.example', 'news', '\\.co$'],
  ['title', 'Home', 'Pricing – Weir', 'weir', '^h'],
  ['query', 'q=1', '', 'r=', 'q=\\w$'],
  ['browser', 'chrome', 'firefox', 'fire', '^(chrome|edge)'],
  ['os', 'Mac OS', 'Linux', 'os', 'win|lin'],
  ['device', 'mobile', 'desktop', 'top', '^(m|t)'],
  ['country', 'DE', 'US', 'd', '^.$|^fr$'],
  ['region', 'DE-BE', '', 'us', '-ca$'],
  ['city', 'Zürich', "L'Aquila", 'zü', '^san'],
  ['language', 'de', 'en-US', 'ch', '^de$'],
  ['hostname', 'own.example', 'www.own.example', 'www', '^own'],
  ['tag', 'a', 'b', 'A', '^$'],
  ['event', 'buy', 'search\\, site', 'U', '^(sign|play)'],
  ['distinctId', 'user-3', 'user-5', '-1', '[24]$'],
  ['utmSource', 'news', 'ads', 'ew', '^a'],
  ['utmMedium', 'email', 'cpc', 'C', 'mail'],
  ['utmCampaign', 'spring', 'Spring\\,2025', 'ring,', '^s'],
  ['utmContent', 'top', 'bottom', 'o', 'om$'],
  ['utmTerm', 'analytics', '', 'lyt', '^a.*s$'],
]

const operators = ['eq', 'neq', 'c', 'dnc', 're', 'nre'] as const

type Field = (typeof fields)[number]

function filterOf([, value, other, part, pattern]: Field, operator: (typeof operators)[number], place: number): string {
  if (operator === 'c' || operator === 'dnc') return `${operator}.${part}`
  if (operator === 're' || operator === 'nre') return `${operator}.${pattern}`
  const listed = place % 3 === 0 ? `${value},${other}` : value
  return operator === 'eq' && place % 2 === 0 ? listed : `${operator}.${listed}`
}

const spellings: readonly ((name: string, value: string) => Readonly<Record<string, string>>)[] = [
  (name, value) => ({ [name]: value }),
  (name, value) => ({ [`filters[${name}]`]: value }),
  (name, value) => ({ filters: JSON.stringify({ [name]: value }) }),
]

const byField = fields.flatMap((field, first) =>
  operators.flatMap((operator, second) =>
    spellings.map((spelled, third) => {
      const place = first + 2 * second + 4 * third
      const range = turn([october, oneDay, always], first + second)
      return ask(turn(reports, place), spelled(field[0], filterOf(field, operator, first + second)), { range })
    }),
  ),
)

const combined: readonly Query[] = [
  { browser: 'chrome', country: 'DE' },
  { browser: 'chrome', country: 'DE', match: 'any' },
  { browser: 'c.o', browser1: 'neq.firefox', browser2: 're.^c' },
  [
    ['browser', 'chrome'],
    ['browser', 'firefox'],
  ],
  { filters: JSON.stringify({ browser: ['chrome', 'firefox'], os: ['c.o', 'dnc.win'], match: 'any' }) },
  { browser: 'chrome', 'filters[os]': 'Linux', filters: '{"device":"mobile"}', match: 'any' },
  { path: 'c.pri', event: 'buy', match: 'any' },
  { path: '/pricing', referrer: 'neq.' },
  { eventType: '2' },
  { eventType: 'neq.1,5' },
  { eventType: '1,3,4,5', browser: 'chrome' },
  { excludeBounce: 'true' },
  { excludeBounce: 'false' },
  { excludeBounce: '1', country: 'DE' },
  { segment: segment.chrome! },
  { segment: segment.several! },
  { segment: segment.several!, country: 'US', os: 'Linux' },
  { segment: segment.distinct!, match: 'any' },
  { cohort: segment.buyers! },
  { cohort: segment.readers!, timezone: 'Asia/Kolkata' },
  { cohort: segment.today! },
  { cohort: segment.buyers!, segment: segment.chrome!, excludeBounce: 'yes' },
  { 'filters[segment]': segment.chrome!.toUpperCase() },
  { epf0: '1.eq.plan.pro', epf1: '2.gt.price.1', browser: 'neq.safari' },
]

const properties: readonly string[] = [
  ...[
    '1.eq.plan.pro',
    '1.eq.plan.pro,a\\,b',
    '1.neq.plan.free',
    '1.c.plan.P',
    '1.dnc.plan.r',
    '1.re.plan.^p',
    '1.nre.plan.o$',
  ],
  ...['2.eq.price.1,3', '2.neq.price.-5', '2.gt.price.1', '2.lt.price.0.001', '2.gte.price.19.99', '2.lte.price.3'],
  ...['3.eq.trial.true', '3.neq.trial.true', '4.eq.renewal.2025-03-04', '4.neq.renewal.2025-03-04'],
  ...[
    '4.bf.renewal.2025-06-01',
    '4.af.renewal.2025-06-01T12:00:00%2B02:00',
    '5.c.tags.b',
    '5.dnc.tags.b',
    '1.eq.Gr%C3%B6%C3%9Fe.pro',
  ],
]

const byProperty = properties.flatMap((filter, place) => {
  const value = filter.replace('%2B', '+')
  const [type, operator, property, ...rest] = value.split('.')
  const shorthand = { [`pf_${decodeURIComponent(property!)}`]: `${type}.${operator}.${rest.join('.')}` }
  return [
    ask(turn(reports, place), { epf0: value }, { range: turn([october, always], place) }),
    ask(turn(reports, place + 4), { filters: JSON.stringify({ epf: value }) }),
    ask(reports[8], shorthand, { range: always }),
  ]
})

const filtered = [
  ...byField,
  ...byProperty,
  ...combined.flatMap((query, place) =>
    reports.filter((_, index) => (index + place) % 3 === 0).map((report) => ask(report, query)),
  ),
]

// Ranges.

const hour = 3_600_000
const lengths = [hour, day, 3 * day, 10 * day, 40 * day, 100 * day, 400 * day]
const ofTables: readonly Query[] = [{}, { browser: 'chrome' }, { event: 'buy' }, { city: 'Berlin' }]

const ranges = lengths.flatMap((length, first) =>
  reports.flatMap((report, second) =>
    ofTables.flatMap((filters, third) => {
      if ((first + second + third) % 2 === 1) return []
      // Whole days end at midnight; the others are odd by some milliseconds, or end within a month.
      const end = turn([Date.UTC(2025, 10, 1), Date.UTC(2025, 9, 27, 13, 7, 5, 431)], first + second + third)
      const odd = (first + second) % 3 === 0 ? 123_457 : 0
      return [ask(report, filters, { range: { startAt: end - length - odd, endAt: end - 1 } })]
    }),
  ),
)

const compared = lengths.flatMap((length) =>
  [{}, { compare: 'prev' }, { compare: 'yoy' }, { compare: 'yoy', browser: 'chrome' }, { excludeBounce: '1' }].map(
    (query) => ask(reports[1], query, { range: { startAt: october.endAt + 1 - length, endAt: october.endAt } }),
  ),
)

const zones = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Europe/Berlin']
const dates = [
  ...zones.flatMap((timezone, place) =>
    [
      { startDate: '2025-10-15', endDate: '2025-10-15', timezone },
      { startDate: '2025-10-26', endDate: '2025-11-02', timezone },
      { startDate: '2025-10-01T12:34:56.789Z', endDate: '2025-10-20', timezone },
    ].map((range, index) => ask(turn(reports, place * 3 + index), {}, { range })),
  ),
  ...everywhere({ unit: 'day' }, { range: { startDate: '2025-10-15T00:00:00+02:00', endDate: '2025-10-20' } }).slice(
    0,
    2,
  ),
  ask(reports[1], { compare: 'yoy' }, { range: { startAt: Date.UTC(2024, 1, 29), endAt: Date.UTC(2024, 2, 1) - 1 } }),
  ask(reports[1], {}, { range: { startAt: 0, endAt: 9_999_999_999_999 } }),
  ask(reports[0], {}, { range: { startAt: 0, endAt: 0 } }),
]

/** Before, after and across the moment of a reset; and of websites without events, deleted and unknown. */
const resetAt = Date.UTC(2025, 9, 12, 10, 11, 12, 345)
const otherSites = [
  ...[
    { startAt: resetAt - 5 * day, endAt: resetAt - 1 },
    { startAt: resetAt, endAt: resetAt + 5 * day },
    { startAt: resetAt - 100 * day, endAt: resetAt + 60 * day },
    always,
  ].flatMap((range) => everywhere({}, { site: siteOf('reset'), range })),
  ...everywhere({ excludeBounce: '1' }, { site: siteOf('reset'), range: always }),
  get(`${siteOf('reset')}/event-data/${knownEvent}`),
  ...everywhere({}, { site: siteOf('empty') }),
  ...everywhere({}, { site: siteOf('deleted') }).slice(0, 2),
  ...everywhere({}, { site: siteOf('own').toUpperCase().replace('/API/WEBSITES', '/api/websites') }).slice(0, 2),
  ...everywhere({}, { site: `/api/websites/${nobody}` }).slice(0, 2),
  ...everywhere({}, { site: siteOf('own'), caller: 'admin' }),
]

const byId = [
  ...['own', 'teams', 'locked', 'elsewhere', 'empty'].map((name) => get(`${siteOf(name)}/event-data/${knownEvent}`)),
  get(`${own}/event-data/${knownEvent.toUpperCase()}`),
  get(`${own}/event-data/00000000-0000-8000-8000-00000000e1e2`),
  get(`${own}/event-data/${nobody}`),
  get(`${own}/event-data/none`),
  get(`${own}/event-data/${knownEvent}`, { startAt: 1 }),
  get(`${siteOf('locked')}/event-data/${knownEvent}`, {}, { caller: 'none' }),
]

// Pages.

const paging = [
  ...lists.flatMap((list, place) => [
    ...[{ page: 2 }, { page: 3, pageSize: 7 }, { pageSize: 1 }, { pageSize: 1000 }, { page: 99_999 }].map((query) =>
      ask(list, query),
    ),
    ...[{ maxResults: 10 }, { maxResults: 10, pageSize: 7, page: 2 }, { maxResults: 100_000 }, { maxResults: 1 }].map(
      (query) => ask(list, query, { range: always }),
    ),
    ask(list, { page: 1200, pageSize: 1 }, { range: always }),
    ask(list, { page: 20, pageSize: 100, browser: 'c.c' }, { range: always }),
    ask(list, { pageSize: 5 }, { again: { next: 4 }, range: october }),
    ask(list, { pageSize: 50, page: 2 }, { again: { next: 2 }, range: always }),
    ask(list, { pageSize: 400, maxResults: 900 }, { again: { next: 3 }, range: always }),
    ask(list, { pageSize: 3, os: 'c.o', epf0: '1.eq.plan.pro' }, { again: { next: 1 }, range: oneDay }),
    ask(list, { cursor: 'nonsense' }),
    ask(list, { cursor: btoa(`1760486400000 ${knownEvent} 12`).replaceAll('=', ''), page: place }),
    ask(list, { cursor: btoa(`1760529600123 ${knownEvent} 40`).replaceAll('=', '') }),
  ]),
  ...slices.flatMap((slice) => [
    ...[
      { limit: 1 },
      { limit: 3, offset: 2 },
      { limit: 10_000 },
      { offset: 1_000_000 },
      { offset: 1, event: 'buy' },
    ].map((query) => ask(slice, query)),
    ask(slice, { limit: 2, offset: 3 }, { range: always }),
  ]),
  ...['buy', 'sign-up', 'Größe', 'none', ''].flatMap((name) => [
    ask(reports[4], { eventName: name }, { range: always }),
    ask(reports[6], { event: name }),
    ask(reports[6], { eventName: name, dataType: 2 }),
    get(`${own}/event-data-pivot`, { ...october, eventName: name }),
  ]),
  ...[1, 2, 3, 4, 5].map((dataType) => ask(reports[6], { dataType }, { range: always })),
  ...['price', 'trial', 'renewal', 'tags', 'none'].map((propertyName, place) =>
    get(`${own}/event-data/values`, { ...always, propertyName, ...(place === 3 && { dataType: 5 }) }),
  ),
  ...['PRI', 'buy', '%', '_', 'ü', '', 'nothing at all'].flatMap((search) => [
    ask(reports[0], { search }),
    ask(reports[0], { search, pageSize: 2, browser: 'chrome' }, { range: always }),
  ]),
]

// Other formats, and what HTTP has beside GET.

const formats = ['application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet']

const exported = [
  ...formats.flatMap((accept) =>
    exports.flatMap((list) => [
      ask(list, {}, { headers: { accept } }),
      ask(list, { browser: 'chrome', event: 'buy' }, { headers: { accept }, range: always }),
      ask(list, list.kind === 'pages' ? { maxResults: 3 } : { limit: 2, offset: 1 }, { headers: { accept } }),
    ]),
  ),
  ...formats.flatMap((accept) => [
    ask(reports[0], { page: 1 }, { headers: { accept } }),
    ask(reports[2], { pageSize: 3 }, { headers: { accept } }),
    ask(reports[1], {}, { headers: { accept } }),
    ask(reports[0], { title: 're.(' }, { headers: { accept } }),
    as('HEAD', ask(reports[0], {}, { headers: { accept } })),
    ask(reports[0], {}, { headers: { accept }, site: siteOf('empty') }),
    ask(
      reports[2],
      { epf0: '1.eq.plan.pro' },
      { headers: { accept }, range: oneDay, site: siteOf('locked'), caller: 'none' },
    ),
    ask(reports[0], {}, { headers: { accept }, caller: 'share locked' }),
    ask(reports[0], {}, { headers: { accept }, caller: 'share closed' }),
    get('/api/websites', {}, { headers: { accept } }),
  ]),
  ask(reports[0], { event: 're.^odd' }, { range: always, headers: { accept: 'text/csv' } }),
  ask(reports[0], { event: 're.^odd' }, { range: always, headers: { accept: 'application/x-ndjson' } }),
  ask(reports[2], { path: '/odd' }, { range: always }),
  ask(reports[4], {}, { range: { startDate: '2025-10-15', endDate: '2025-10-15' }, headers: { accept: 'text/csv' } }),
  ...[
    ...['*/*', 'text/*', 'text/html', 'application/json', 'text/csv;q=0.5, application/json', 'text/csv, */*;q=0.1'],
    ...['text/csv;q=0', 'application/json;q=0', 'TEXT/CSV', 'text/csv, application/x-ndjson;q=0.9', 'nonsense'],
  ].flatMap((accept) => [ask(reports[3], {}, { headers: { accept } }), ask(reports[7], {}, { headers: { accept } })]),
]

/** Every path, and what is allowed there. */
const paths: readonly (readonly [path: string, methods: readonly string[]])[] = [
  ...reading.map(([path]) => [path, ['GET']] as const),
  [`${site}/reset`, ['POST']],
  [`${site}/transfer`, ['POST']],
  ['/api/share', ['POST']],
  ['/api/teams/join', ['POST']],
  ['/api/me/password', ['POST']],
  ['/api/me/api-keys/:keyId', ['DELETE']],
  ['/api/auth/login', ['POST']],
  ['/api/auth/logout', ['POST']],
  ['/api/auth/verify', ['POST']],
  ['/api/read', ['POST']],
]

const otherMethods = [
  ...reading.map(([path, query]) => as('HEAD', get(filled(path, target), query))),
  ...paths.flatMap(([path, methods]) => [
    as('PUT', get(filled(path, target))),
    ...(methods.includes('GET') ? [] : [get(filled(path, target)), as('HEAD', get(filled(path, target)))]),
  ]),
  as('PATCH', get(own, {}, { body: { name: 'x' } })),
  as('DELETE', get(`${own}/events`)),
  post(`${own}/events`, {}),
  ...paths
    .filter((_, place) => place % 3 === 0)
    .map(([path]) =>
      as('OPTIONS', get(filled(path, target), {}, { caller: 'none', headers: { origin: 'https://page.example' } })),
    ),
  as(
    'OPTIONS',
    get(
      own,
      {},
      {
        caller: 'none',
        headers: {
          origin: 'https://page.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization, x-odd',
        },
      },
    ),
  ),
  as('OPTIONS', get('/nowhere', {}, { caller: 'none' })),
  ...[
    '/',
    '/api',
    '/nowhere',
    '/api/websites/',
    `${own}/`,
    `${own}/event`,
    `${own}/events/`,
    '/API/me',
    '/api//me',
    '/api/users/me/x',
    '/health/',
  ].map((path) => get(path)),
]

const conditional = [
  ...reports.map((report) => ask(report, {}, { again: 'etag' })),
  get(`${own}/event-data/${knownEvent}`, {}, { again: 'etag' }),
  ask(reports[0], {}, { headers: { 'if-none-match': '*' } }),
  ask(reports[0], {}, { headers: { 'if-none-match': '"other", W/"another"' } }),
  get(own, {}, { headers: { 'if-none-match': '*' } }),
  ...['my-id_1=', 'x'.repeat(64), 'x'.repeat(65), 'not allowed', 'ü'].map((id) =>
    get('/health', {}, { headers: { 'x-request-id': Buffer.from(id).toString('latin1') } }),
  ),
  get('/nowhere', {}, { headers: { 'x-request-id': 'my-id' } }),
]

// Credentials, shares and public websites.

const asShare = (name: string): Caller => `share ${name}`

const credentials = [
  ...[
    { authorization: 'Basic eDp5' },
    { authorization: 'Bearer' },
    { authorization: 'Bearer a b' },
    { authorization: 'Bearer api_short' },
    { authorization: 'bearer  nonsense' },
    { 'x-weir-api-key': 'nonsense' },
    { 'x-umami-share-token': 'nonsense' },
    { 'x-weir-share-token': 'nonsense' },
  ].map((headers) => get('/api/me', {}, { caller: 'none', headers })),
  ...['x-weir-api-key', 'x-umami-api-key'].flatMap((name) => [
    get('/api/me', {}, { caller: 'none', headers: { [name]: '{{operator}}' } }),
    get('/api/me', {}, { caller: 'owner', headers: { [name]: '{{operator}}' } }),
    get('/api/me', {}, { headers: { [name]: '{{operator}}' } }),
  ]),
  ...['open', 'closed', 'expired', 'lasting', 'nothing'].flatMap((name) => [
    get('/api/me', { share: `slug-of-${name}` }, { caller: 'none' }),
    get(own, { share: `slug-of-${name}` }, { caller: 'none' }),
    ask(reports[1], { share: `slug-of-${name}` }, { caller: 'none' }),
    get(`/api/share/slug-of-${name}`, {}, { caller: 'none' }),
  ]),
  get('/api/me', { share: 'slug-of-open' }, { caller: 'share' }),
  get('/api/me', { share: 'slug-of-lasting' }, { caller: 'share' }),
  get(
    '/api/me',
    [
      ['share', 'slug-of-open'],
      ['share', 'slug-of-lasting'],
    ],
    { caller: 'none' },
  ),
  ask(reports[0], { share: 'slug-of-open', pageSize: 2 }, { caller: 'none', again: { next: 1 } }),
  get('/api/share/%2e%2e', {}, { caller: 'none' }),
  get('/api/share/a%20b', {}, { caller: 'none' }),
  get('/api/share/slug-of-lasting', { more: 'x' }, { caller: 'none' }),
]

const openings = [
  ...['open', 'closed', 'locked', 'unfiltered', 'origins', 'expired', 'lasting'].flatMap((name) => [
    get('/api/me', {}, { caller: asShare(name) }),
    get(own, {}, { caller: asShare(name) }),
    get(`${own}/segments`, { type: 'segment' }, { caller: asShare(name) }),
    get(`${own}/segments/${segment.distinct}`, {}, { caller: asShare(name) }),
    get(`${own}/event-data/${knownEvent}`, {}, { caller: asShare(name) }),
    ...everywhere({}, { caller: asShare(name) }).slice(0, name === 'closed' || name === 'expired' ? 2 : 9),
    ask(reports[0], { browser: 'firefox' }, { caller: asShare(name) }),
    ask(reports[3], { distinctId: 'user-3' }, { caller: asShare(name) }),
    ask(reports[5], { segment: segment.chrome! }, { caller: asShare(name) }),
    ask(reports[7], { segment: segment.distinct! }, { caller: asShare(name) }),
    ask(reports[1], { cohort: segment.buyers!, excludeBounce: '1' }, { caller: asShare(name) }),
    ask(reports[0], { search: 'pri', pageSize: 3 }, { caller: asShare(name) }),
  ]),
  ...['public', 'locked', 'origins'].flatMap((name) => [
    get(siteOf(name), {}, { caller: 'none' }),
    get(`${siteOf(name)}/segments`, { type: 'cohort' }, { caller: 'none' }),
    ...everywhere({}, { caller: 'none', site: siteOf(name) }),
    ask(reports[0], { browser: 'firefox' }, { caller: 'none', site: siteOf(name) }),
    ask(reports[2], { distinctId: 'c.u' }, { caller: 'none', site: siteOf(name) }),
    ask(reports[4], {}, { caller: 'wrong', site: siteOf(name) }),
    ask(reports[4], {}, { caller: 'outsider', site: siteOf(name) }),
    ask(reports[4], {}, { caller: 'share', site: siteOf(name) }),
  ]),
  ...['https://www.example.com', 'https://other.example', 'null'].flatMap((origin) => [
    ask(reports[7], {}, { caller: asShare('origins'), headers: { origin } }),
    get('/api/share/slug-of-origins', {}, { caller: 'none', headers: { origin } }),
    ask(reports[7], {}, { caller: 'none', site: siteOf('origins'), headers: { origin } }),
    ask(reports[7], {}, { caller: 'of origins', headers: { origin } }),
    get('/api/me', {}, { caller: 'of origins', headers: { origin } }),
    ask(reports[7], {}, { headers: { origin } }),
    get('/api/me', {}, { caller: 'wrong', headers: { origin } }),
  ]),
  ask(reports[7], {}, { caller: 'of origins', headers: { 'sec-fetch-site': 'same-origin' } }),
]

// Batches.

const batchOf = (items: unknown, more: More = {}, query = ''): Asked => ({
  ...post(`/api/read${query}`, { paths: items }),
  ...more,
})

const inRange = (report: string, more: Query = {}): string => pathOf(`${own}/${report}`, { ...october, ...more })
const tenPaths = [
  ...reports.map((report) =>
    pathOf(`${own}/${report.path}`, { ...oneDay, ...('needs' in report ? report.needs : {}) }),
  ),
  `${own}/event-data/${knownEvent}`,
]

const batches = [
  ...(['operator', 'owner', 'read', 'outsider', 'share', 'none', 'wrong', 'of origins'] as const).map((caller) =>
    batchOf(tenPaths, { caller }),
  ),
  batchOf(['/api/me'], { caller: 'none' }, '?share=slug-of-open'),
  batchOf([inRange('events', { pageSize: 2 })], { caller: 'none' }, '?share=slug-of-open'),
  batchOf([inRange('events', { pageSize: 2 })], { headers: { accept: 'text/csv', 'if-none-match': '*' } }),
  batchOf(tenPaths, { headers: { 'x-request-id': 'of-a-batch', origin: 'https://page.example' } }),
  batchOf([own, '/api/me/websites', '/api/teams', '/health', '/openapi.json', '/nowhere', '/api/nowhere']),
  batchOf([own, '/api/me/websites', '/api/teams', '/api/nowhere', `${own}/events`, inRange('events', { nope: 1 })]),
  batchOf([inRange('events', { title: 're.(' }), inRange('events/stats', { page: 1 }), `${own}/segments?type=cohort`]),
  batchOf(Array.from({ length: 20 }, (_, place) => inRange('events', { page: place + 1, pageSize: 3 }))),
  batchOf(Array.from({ length: 21 }, () => '/api/me')),
  batchOf([]),
  batchOf('/api/me'),
  batchOf(undefined),
  batchOf([1, null, '']),
  batchOf(['/api/read']),
  batchOf(['/api/auth/login', '/api/share', `${own}/reset`]),
  batchOf(['http://other.example/api/me', '//other/api/me', '/api/../api/me', '/api/me#x', '/api/a b', '/api/me?x=ü']),
  batchOf([`/api/me?${'x'.repeat(16_001)}`]),
  batchOf(['/api/me', '/api/me', '/api/me?share=slug-of-open']),
  batchOf(['/api/me'], {}, '?more=1'),
  post('/api/read', { paths: ['/api/me'], more: 1 }),
  post('/api/read', 'no JSON', 'operator', { headers: { 'content-type': 'application/json' } }),
  post('/api/read', undefined),
]

// What is refused.

const badParameters: readonly Query[] = [
  { nope: '1' },
  { match: 'some' },
  { eventType: '6' },
  { eventType: '2', 'filters[eventType]': 'x' },
  { segment: 'chrome' },
  { segment: nobody },
  { segment: segment.buyers! },
  { cohort: segment.chrome! },
  { cohort: segment.unfinished! },
  { segment: segment.pattern! },
  { title: 're.(' },
  { title: 'nre.[a', browser: 'chrome' },
  { filters: 'no JSON' },
  { filters: '[]' },
  { filters: '{"browser":[]}' },
  { filters: '{"browser":{"a":1},"nope":"x"}' },
  { 'filters[nope]': 'x' },
  { 'filters[]': 'x' },
  { spf0: '1.eq.plan.pro' },
  { epf0: 'plan' },
  {
    epf0: '1.gt.plan.pro',
    epf1: '2.eq.price.x',
    epf2: '3.eq.trial.yes',
    epf3: '4.eq.renewal.soon',
    epf4: '5.eq.tags.a',
  },
  { epf0: '1.re.plan.(' },
  { epf0: '1.eq.%.x' },
  { browser: 'x'.repeat(4001) },
  { browser: Array.from({ length: 101 }, (_, place) => place).join(',') },
  Array.from({ length: 51 }, () => ['browser', 'chrome'] as const),
  [
    ['match', 'all'],
    ['match', 'any'],
  ],
  { page: '0' },
  { pageSize: '1001', limit: '0' },
  { page: '1.5', offset: '-1' },
  { maxResults: '1e3' },
  { compare: 'never', unit: 'week' },
  { timezone: 'Mars/Olympus' },
  { search: 'x'.repeat(4001) },
]

const badRanges: readonly Query[] = [
  {},
  { startAt: 1 },
  { endAt: 1 },
  { startAt: 2, endAt: 1 },
  { startAt: 'now', endAt: '' },
  { startAt: -1, endAt: 10_000_000_000_000 },
  { startAt: 1, endAt: 2, startDate: '2025-10-15' },
  { startDate: '2025-02-30', endDate: '15.10.2025' },
  { startDate: '2025-10-16', endDate: '2025-10-15' },
  { startDate: '1969-12-31', endDate: '2025-10-15T12:00:00' },
  [
    ['startAt', 1],
    ['startAt', 2],
    ['endAt', 3],
  ],
]

const badQueries = [
  ...badParameters.flatMap((query, place) => [
    ask(turn(reports, place), query),
    ask(turn(reports, place + 3), query),
    ask(turn(reports, place + 6), query),
  ]),
  ...badRanges.flatMap((range, place) => [
    ask(turn(reports, place), {}, { range }),
    ask(turn(reports, place + 5), {}, { range }),
  ]),
  get(`${own}/event-data/values`, october),
  get(`${own}/event-data-pivot`, october),
  get(`${own}/event-data-pivot`, { ...october, eventName: 'buy', pf_plan: 'x', pf_: '1.eq.x', pf_price: '2.c.1' }),
  get(`${own}/event-data-pivot`, { ...october, eventName: 'buy', pf_plan: 'eq.pro', pf_plan1: '1.neq.free' }),
  get(`${own}/event-data/values`, { ...october, propertyName: 'plan', event: 'a', eventName: 'b', dataType: 6 }),
  ...['?%', '?=x', '?a=%ff', '?startAt=%e4&%zz=1', '?&&', '?__proto__=1', '?constructor=x'].flatMap((query) => [
    get(`${own}/events${query}`),
    get(`/api/websites${query}`),
  ]),
  ...['none', `${website.own}0`, '%00', '%ff', 'a%2fb', 'x'.repeat(300)].flatMap((id) => [
    get(`/api/websites/${id}`),
    get(`/api/websites/${id}/events`, october),
    get(`/api/teams/${id}`),
  ]),
  ...['/api/websites', own, '/api/me', '/api/me/api-keys', '/api/users', '/api/teams', '/health'].map((path) =>
    get(path, { nope: '1' }, { caller: 'admin' }),
  ),
  as('GET', post(own, { name: 'x' })),
  as('DELETE', post(own, { name: 'x' })),
  as('GET', post(`${own}/events?${queryOf(october)}`, 'text')),
]

// Lists of metadata.

const metadataLists: readonly (readonly [path: string, caller: Caller, orders: readonly string[]])[] = [
  ['/api/admin/websites', 'admin', ['name', 'domain', 'createdAt']],
  ['/api/websites', 'owner', ['name', 'domain', 'createdAt']],
  ['/api/me/websites', 'listed', ['name']],
  [`/api/users/${user.owner}/websites`, 'admin', ['domain']],
  [`/api/teams/${team.ours}/websites`, 'operator', ['createdAt']],
  ['/api/users', 'admin', ['username', 'role', 'createdAt']],
  ['/api/admin/teams', 'admin', ['name', 'createdAt']],
  ['/api/teams', 'owner', ['name', 'createdAt']],
  [`/api/users/${user.member}/teams`, 'admin', ['name']],
  [`/api/teams/${team.ours}/users`, 'team-owner', ['username', 'role', 'createdAt']],
  [`${own}/shares`, 'owner', ['name', 'createdAt']],
  [`${own}/segments?type=segment&`, 'owner', ['name']],
  [`${own}/segments?type=cohort&`, 'read', ['name']],
]

const listed = metadataLists.flatMap(([path, caller, orders]) => {
  const one = (query: Query): Asked => {
    const text = queryOf(query)
    return {
      method: 'GET',
      path: path.includes('?') ? `${path}${text}`.replace(/&$/, '') : pathOf(path, query),
      caller,
    }
  }
  return [
    ...orders.map((orderBy, place) => one({ orderBy, sortDescending: String(place % 2 === 0) })),
    ...[{ pageSize: 2 }, { pageSize: 2, page: 2 }, { maxResults: 3, pageSize: 2, page: 2 }, { page: 999 }].map(one),
    ...[{ search: 'E' }, { search: 'ü' }, { search: '%' }, { search: 'nothing' }, { includeTeams: 'yes' }].map(one),
    ...[{ orderBy: 'nope' }, { sortDescending: 'yes', page: 0 }].map(one),
  ]
})

export const reads: readonly Asked[] = [
  ...byEveryone,
  ...filtered,
  ...ranges,
  ...compared,
  ...dates,
  ...otherSites,
  ...byId,
  ...paging,
  ...exported,
  ...otherMethods,
  ...conditional,
  ...credentials,
  ...openings,
  ...batches,
  ...badQueries,
  ...listed,
]

// What is written: in this order, one after the other.

const name = 'A name'
const good: readonly (readonly [method: 'POST' | 'DELETE', path: string, body?: unknown])[] = [
  ['POST', '/api/websites', { name, domain: 'new.example' }],
  ['POST', site, { name }],
  ['POST', `${site}/reset`],
  ['POST', `${site}/transfer`, { teamId: team.ours }],
  ['POST', `${site}/shares`, { name, parameters: {} }],
  ['POST', `${site}/segments`, { type: 'segment', name, parameters: { filters: [] } }],
  ['POST', `${site}/segments/:segmentId`, { type: 'segment', name, parameters: { filters: [] } }],
  ['DELETE', `${site}/segments/:segmentId`],
  ['POST', '/api/share', { entityId: website.changing, shareType: 1, name, parameters: {} }],
  ['POST', '/api/share/id/:shareId', { name, slug: 'slug-of-doomed', parameters: {} }],
  ['DELETE', '/api/share/id/:shareId'],
  ['POST', '/api/teams', { name }],
  ['POST', '/api/teams/join', { accessCode: 'no-such-code' }],
  ['POST', '/api/teams/:teamId', { name: 'doomed' }],
  ['POST', '/api/teams/:teamId/users', { userId: user.newcomer, role: 'team-member' }],
  ['POST', '/api/teams/:teamId/users/:userId', { role: 'team-view-only' }],
  ['DELETE', '/api/teams/:teamId/users/:userId'],
  ['DELETE', '/api/teams/:teamId'],
  ['POST', '/api/me/api-keys', { name }],
  ['DELETE', '/api/me/api-keys/:keyId'],
  ['POST', '/api/users/:userId', { role: 'view-only' }],
  ['DELETE', site],
]

/** Of which nothing else is asked. */
const doomed: Target = {
  websiteId: website.doomed!,
  teamId: team.doomed!,
  userId: user.member!,
  segmentId: segment.doomed!,
  shareId: share.doomed!,
  keyId: key.doomed!,
}

/** Those who are refused first. */
const inOrder: readonly Caller[] = [
  ...(['none', 'expired', 'other', 'outsider', 'share', 'closed share', 'read'] as const),
  ...(['view-only', 'listed', 'operator', 'write', 'owner'] as const),
]

const changedByEveryone = good.flatMap(([method, path, body]) =>
  inOrder.map((caller): Asked => {
    const ids = path.startsWith(`${site}/segments/`) ? { ...doomed, websiteId: website.own! } : doomed
    // What has the same name as another stands in either order.
    const named =
      body === undefined ? {} : { body: JSON.parse(JSON.stringify(body).replaceAll(name, `${name} ${caller}`)) }
    return { method, path: filled(path, ids), caller, ...named }
  }),
)

const badBodies: readonly (readonly [path: string, bodies: readonly unknown[], caller?: Caller])[] = [
  [
    '/api/websites',
    [
      {},
      [],
      'null',
      'no JSON',
      '{"__proto__":{}}',
      { name: '', domain: 'no host' },
      { name: 'x'.repeat(101), domain: 'a.example', more: 1, other: 2 },
      { name: '\ud800', domain: 'a.example' },
      { name, domain: 'a.example', id: website.own },
      { name, domain: 'a.example', id: website.deleted, shareId: 'a b' },
      { name, domain: 'a.example', shareId: 'slug-of-open' },
      { name, domain: 'a.example', teamId: nobody },
    ],
  ],
  [
    siteOf('changing'),
    [
      { websiteId: website.own, name },
      { public: { events: 'yes', more: 1 } },
      { public: { filters: { nope: 'x', segment: nobody }, origins: ['https://a.example/'], expiresAt: 'soon' } },
      { replayConfig: { sampleRate: 2, maskLevel: 'none', maxDuration: 1, blockSelector: 'x'.repeat(1001) } },
      { replayConfig: { replayEnabled: true }, replayEnabled: false },
      { shareId: 'x'.repeat(51) },
      { shareId: 'slug-of-open' },
    ],
  ],
  [`${siteOf('changing')}/transfer`, [{}, { userId: nobody }, { teamId: nobody }, { userId: nobody, teamId: nobody }]],
  [`${siteOf('changing')}/shares`, [{}, { name, parameters: { theme: 'blue' } }, { name, slug: 'mine' }]],
  [
    `${siteOf('changing')}/segments`,
    [
      {},
      { type: 'other', name, parameters: {} },
      { type: 'segment', name, parameters: { filters: [{ name: 'nope', operator: 'eq', value: 'x' }] } },
      {
        type: 'segment',
        name,
        parameters: { filters: [{ name: 'browser', operator: 'is', value: 'x' }], dateRange: 'all' },
      },
      {
        type: 'segment',
        name,
        parameters: { filters: [{ name: 'browser', operator: 're', value: ['x'] }], match: 'some' },
      },
      { type: 'cohort', name, parameters: { dateRange: 'soon', action: { type: 'click', value: '' } } },
      { type: 'cohort', name, parameters: { sessionPropertyFilters: [1] } },
    ],
  ],
  [`${own}/segments/${nobody}`, [{ type: 'segment', name, parameters: {} }]],
  [
    '/api/share',
    [{}, { entityId: nobody, shareType: 1, name, parameters: {} }, { entityId: website.own, shareType: 2, name }],
  ],
  [
    `/api/share/id/${share.changing}`,
    [{}, { name, slug: 'slug-of-open', parameters: {} }, { name, slug: '..', parameters: {} }],
  ],
  [`/api/share/id/${nobody}`, [{ name, slug: 'other', parameters: {} }]],
  ['/api/teams', [{ name }, { name: 'x'.repeat(51), ownerId: 'x' }, { name, ownerId: nobody }]],
  ['/api/teams/join', [{}, { accessCode: 'x'.repeat(101) }, { accessCode: 'code-of-ours' }], 'owner'],
  [`/api/teams/${team.ours}`, [{ accessCode: 'short' }, { accessCode: 'code-of-theirs' }, { name: '' }]],
  [`/api/teams/${nobody}`, [{ name }]],
  [
    `/api/teams/${team.ours}/users`,
    [
      {},
      { userId: user.owner, role: 'team-owner' },
      { userId: nobody, role: 'team-member' },
      { userId: user.owner, role: 'team-member' },
    ],
  ],
  [`/api/teams/${team.ours}/users/${user.newcomer}`, [{ role: 'team-member' }]],
  [`/api/teams/${team.theirs}/users/${user.outsider}`, [{ role: 'team-member' }]],
  [
    '/api/me/api-keys',
    [
      {},
      { name, access: 'all', websiteIds: [], expiresAt: '2025-01-01', origins: ['x'] },
      { name, expiresAt: '2025-01-01T00:00:00Z' },
      { name, websiteIds: [website.own, nobody] },
    ],
    'owner',
  ],
  [
    '/api/me/password',
    [{}, { currentPassword: 'wrong', newPassword: 'long enough' }, { currentPassword: password, newPassword: 'short' }],
    'owner',
  ],
  [
    '/api/users',
    [
      {},
      { username: 'Owner', password, role: 'user' },
      { username: 'x', password: 'short', role: 'king' },
      { id: user.owner, username: 'other', password, role: 'user' },
    ],
  ],
  [`/api/users/${nobody}`, [{ role: 'user' }]],
  [`/api/users/${user.admin}`, [{ role: 'user' }, { username: 'OWNER' }], 'admin'],
  [
    '/api/auth/login',
    [{}, { username: 'owner', password: 'wrong' }, { username: 'nobody', password }, { username: '', password: '' }],
    'none',
  ],
]

const refusedBodies = [
  ...badBodies.flatMap(([path, bodies, caller]) =>
    bodies.map((body) =>
      post(path, body, caller, typeof body === 'string' ? { headers: { 'content-type': 'application/json' } } : {}),
    ),
  ),
  ...['text/plain', 'application/x-www-form-urlencoded', 'APPLICATION/JSON; charset=utf-8', ''].map((type) =>
    post(siteOf('changing'), JSON.stringify({ name: 'Changing' }), 'operator', { headers: { 'content-type': type } }),
  ),
  // Refused for its length, before any of it is read.
  post(siteOf('changing'), undefined, 'operator', {
    headers: { 'content-type': 'application/json', 'content-length': '100001', connection: 'close' },
  }),
  post(`${siteOf('changing')}/reset`, { more: 1 }),
  post(`${siteOf('changing')}/reset`, ' { } '),
  remove(`/api/users/${user.admin}`, 'admin'),
  ...[`/api/users/${nobody}`, `/api/teams/${nobody}`, `/api/share/id/${nobody}`, `${own}/segments/${nobody}`].map(
    (path) => remove(path, 'admin'),
  ),
  remove(`/api/me/api-keys/${nobody}`, 'owner'),
  remove(`/api/teams/${team.theirs}/users/${user.outsider}`),
]

/** A life of each kind of thing. */
const lives: readonly Asked[] = [
  post('/api/websites', { name: ' First ', domain: 'first.example', shareId: 'slug-of-first' }, 'owner', {
    keep: { site: 'id' },
  }),
  get('/api/websites/{{site}}', {}, { caller: 'owner' }),
  get('/api/websites/{{site}}/events', october, { caller: 'owner' }),
  get('/api/websites/{{site}}/shares', {}, { caller: 'owner' }),
  get('/api/share/slug-of-first', {}, { caller: 'none' }),
  post(
    '/api/websites/{{site}}',
    { name: 'Second', domain: 'second.example:8080', public: { events: true, allowFilter: false } },
    'owner',
  ),
  get('/api/websites/{{site}}', {}, { caller: 'none' }),
  get('/api/websites/{{site}}/events', { ...october, browser: 'chrome' }, { caller: 'none' }),
  post('/api/websites/{{site}}', { public: null, replayEnabled: true, shareId: null }, 'owner'),
  post(
    '/api/websites/{{site}}',
    { replayConfig: { heatmapEnabled: true, heatmapSampleRate: 0.25, maskLevel: 'strict' }, shareId: 'slug-again' },
    'owner',
  ),
  get('/api/websites/{{site}}', {}, { caller: 'none' }),
  post('/api/websites/{{site}}/transfer', { teamId: team.ours }, 'owner'),
  get('/api/websites/{{site}}', {}, { caller: 'team-view-only' }),
  post('/api/websites/{{site}}/transfer', { userId: user.outsider }, 'admin'),
  get('/api/websites/{{site}}', {}, { caller: 'owner' }),
  post('/api/websites/{{site}}/reset', undefined, 'outsider'),
  get('/api/websites/{{site}}', {}, { caller: 'outsider' }),
  remove('/api/websites/{{site}}', 'outsider'),
  remove('/api/websites/{{site}}', 'outsider'),
  get('/api/websites/{{site}}', {}, { caller: 'admin' }),
  get('/api/share/slug-again', {}, { caller: 'none' }),
  post(`${siteOf('changing')}/reset`, undefined, 'owner'),
  get(`${siteOf('changing')}/events`, always, { caller: 'owner' }),
  get(`${siteOf('changing')}/event-data/${knownEvent}`, {}, { caller: 'owner' }),
  post('/api/websites', {
    name: 'With an id',
    domain: 'id.example',
    id: '55555555-0000-8000-8000-00000000AAAA',
    teamId: team.ours,
  }),

  post(
    `${own}/segments`,
    { type: 'cohort', name: 'Ü', parameters: { action: { type: 'event', value: 'buy' }, dateRange: '30day' } },
    'owner',
    { keep: { segment: 'id' } },
  ),
  get(`${own}/segments`, { type: 'cohort', search: 'ü' }, { caller: 'owner' }),
  post(
    `${own}/segments/{{segment}}`,
    {
      id: '{{segment}}',
      type: 'segment',
      name: 'S',
      parameters: { filters: [{ name: 'os1', operator: 'c', value: 'o', label: 'x' }] },
      createdAt: 1,
    },
    'owner',
  ),
  get(`${own}/segments/{{segment}}`, {}, { caller: 'owner' }),
  get(`${own}/events/stats`, { ...october, segment: '{{segment}}' }, { caller: 'owner' }),
  post(`${own}/segments/{{segment}}`, { id: nobody, type: 'segment', name: 'S', parameters: {} }, 'owner'),
  remove(`${own}/segments/{{segment}}`, 'owner'),
  remove(`${own}/segments/{{segment}}`, 'owner'),
  get(`${own}/events/stats`, { ...october, segment: '{{segment}}' }, { caller: 'owner' }),

  post(
    `${own}/shares`,
    { name: 'New', parameters: { events: true, filters: { os: 'c.o' }, expiresAt: '2098-12-31T23:59:59+01:00' } },
    'owner',
    { keep: { share: 'id', slug: 'slug' } },
  ),
  get('/api/share/{{slug}}', {}, { caller: 'none', keep: { token: 'token' } }),
  get('/api/me', {}, { caller: 'none', headers: { 'x-weir-share-token': '{{token}}' } }),
  ask(reports[1], {}, { caller: 'none', headers: { 'x-weir-share-token': '{{token}}' } }),
  get('/api/share/id/{{share}}', {}, { caller: 'owner' }),
  post('/api/share/id/{{share}}', { name: 'Newer', slug: 'slug-newer', parameters: { events: true } }, 'owner'),
  get('/api/me', {}, { caller: 'none', headers: { 'x-weir-share-token': '{{token}}' } }),
  get('/api/me', { share: 'slug-newer' }, { caller: 'none' }),
  post(
    '/api/share',
    { entityId: website.own, shareType: 1, name: 'Third', slug: 'slug-third', parameters: { overview: true } },
    'owner',
  ),
  get(`${own}/shares`, { orderBy: 'createdAt', sortDescending: 'true' }, { caller: 'owner' }),
  remove('/api/share/id/{{share}}', 'owner'),
  get('/api/share/slug-newer', {}, { caller: 'none' }),

  post('/api/teams', { name: 'Crew' }, 'owner', { keep: { team: '0.id', code: '0.accessCode' } }),
  post('/api/teams', { name: 'Of another', ownerId: user.outsider }),
  get('/api/teams/{{team}}', {}, { caller: 'owner' }),
  post('/api/teams/join', { accessCode: '{{code}}' }, 'newcomer'),
  post('/api/teams/join', { accessCode: '{{code}}' }, 'newcomer'),
  get('/api/teams/{{team}}', {}, { caller: 'newcomer' }),
  post('/api/teams/{{team}}/users', { userId: user.member, role: 'team-view-only' }, 'owner'),
  get('/api/teams/{{team}}/users', { orderBy: 'role' }, { caller: 'newcomer' }),
  post(`/api/teams/{{team}}/users/${user.member}`, { role: 'team-manager' }, 'owner'),
  post(`/api/teams/{{team}}/users/${user.owner}`, { role: 'team-member' }, 'owner'),
  post(`/api/teams/{{team}}/users/${user.owner}`, { role: 'team-member' }, 'member'),
  post('/api/teams/{{team}}', { name: 'Crew 2', accessCode: 'a-new-code' }, 'member'),
  remove(`/api/teams/{{team}}/users/${user.member}`, 'newcomer'),
  remove(`/api/teams/{{team}}/users/${user.newcomer}`, 'newcomer'),
  get('/api/teams/{{team}}', {}, { caller: 'newcomer' }),
  remove('/api/teams/{{team}}', 'member'),
  remove('/api/teams/{{team}}', 'owner'),
  get('/api/teams/{{team}}', {}, { caller: 'admin' }),

  post('/api/users', { username: ' Zoë ', password: 'a good password', role: 'user' }, 'operator', {
    keep: { person: 'id' },
  }),
  post('/api/auth/login', { username: 'zoë', password: 'a good password' }, 'none', { keep: { session: 'token' } }),
  post('/api/auth/verify', undefined, 'none', { headers: { authorization: 'Bearer {{session}}' } }),
  get('/api/users/{{person}}', {}, { caller: 'admin' }),
  post('/api/users/{{person}}', { username: 'Zoe', role: 'view-only' }, 'admin'),
  get('/api/me', {}, { caller: 'none', headers: { authorization: 'Bearer {{session}}' } }),
  post('/api/websites', { name, domain: 'a.example' }, 'none', { headers: { authorization: 'Bearer {{session}}' } }),
  post('/api/me/password', { currentPassword: 'a good password', newPassword: 'a better password' }, 'none', {
    headers: { authorization: 'Bearer {{session}}' },
  }),
  post(
    '/api/me/api-keys',
    { name: 'Mine', access: 'read', expiresAt: '2097-01-01T00:00:00Z', origins: ['https://a.example'] },
    'none',
    {
      headers: { authorization: 'Bearer {{session}}' },
      keep: { key: 'key', keyId: 'id' },
    },
  ),
  get('/api/me/api-keys', {}, { caller: 'none', headers: { authorization: 'Bearer {{session}}' } }),
  get('/api/me', {}, { caller: 'none', headers: { authorization: 'Bearer {{key}}', origin: 'https://a.example' } }),
  remove('/api/me/api-keys/{{keyId}}', 'none', { headers: { authorization: 'Bearer {{session}}' } }),
  get('/api/me', {}, { caller: 'none', headers: { authorization: 'Bearer {{key}}', origin: 'https://a.example' } }),
  post('/api/users/{{person}}', { password: 'one more password' }, 'admin'),
  get('/api/me', {}, { caller: 'none', headers: { authorization: 'Bearer {{session}}' } }),
  post('/api/auth/login', { username: 'ZOE', password: 'one more password' }, 'none', { keep: { session: 'token' } }),
  post('/api/auth/logout', undefined, 'none', { headers: { authorization: 'Bearer {{session}}' } }),
  get('/api/me', {}, { caller: 'none', headers: { authorization: 'Bearer {{session}}' } }),
  remove('/api/users/{{person}}', 'admin'),
  get('/api/users/{{person}}', {}, { caller: 'admin' }),
  remove(`/api/users/${user.doomed}`),
  get('/api/me', {}, { caller: 'doomed' }),
  get('/api/admin/users', {}, { caller: 'admin' }),
  get('/api/admin/teams', {}, { caller: 'admin' }),
  get('/api/admin/websites', {}, { caller: 'admin' }),
]

export const writes: readonly Asked[] = [...changedByEveryone, ...refusedBodies, ...lives]

/** With the cache on: each one is asked twice. */
export const cached: readonly Asked[] = [
  ...[
    ...everywhere({}),
    ...everywhere({ browser: 'chrome' }, { caller: 'share' }).slice(0, 5),
    get(`${own}/event-data/${knownEvent}`),
    ask(reports[0], { pageSize: 2 }, { again: { next: 1 } }),
    ask(reports[0], { cohort: segment.buyers! }),
    ask(reports[3], { segment: segment.several! }),
    ask(reports[0], { title: 're.(' }),
    ask(reports[1], {}, { caller: 'none', site: siteOf('locked') }),
    ask(reports[1], {}, { caller: 'wrong' }),
    ask(reports[1], {}, { headers: { origin: 'https://www.example.com' }, caller: 'share origins' }),
    ask(reports[0], {}, { headers: { accept: 'text/csv' } }),
    get(own),
    batchOf(tenPaths),
    { ...get(`${own}/events`), path: `${own}/events?startAt={{dayAgo}}&endAt={{now}}` },
    { ...get(`${own}/events`, {}, { caller: 'share' }), path: `${own}/events?startAt={{dayAgo}}&endAt={{now}}` },
  ].flatMap((asked) => [asked, asked]),
  ...everywhere({}, { again: 'etag' }),
  ask(reports[0], {}, { caller: 'owner' }),
  ask(reports[0], {}, { headers: { 'if-none-match': '*' } }),
  as('HEAD', ask(reports[0])),
  post(`${own}/reset`, undefined, 'owner'),
  ...everywhere({}).slice(0, 2),
]

/** With every limit used up. */
export const limited: readonly Asked[] = [
  ...(['operator', 'owner', 'share', 'public', 'wrong', 'none', 'outsider'] as const).flatMap((caller) => [
    ask(reports[1], {}, { caller, site: siteOf('public') }),
    ask(reports[0], { nope: 1 }, { caller, site: siteOf('public') }),
    ask(reports[0], {}, { caller, site: siteOf('public'), headers: { accept: 'text/csv' } }),
    get('/api/me', {}, { caller }),
    batchOf([inRange('events'), '/api/me', '/api/me/websites'], { caller }),
  ]),
  post('/api/auth/login', { username: 'owner', password }, 'none'),
  post('/api/auth/login', {}, 'none'),
  post('/api/me/password', { currentPassword: password, newPassword: password }, 'owner'),
  post('/api/teams/join', { accessCode: 'code-of-ours' }, 'owner'),
  get('/api/share/slug-of-open', {}, { caller: 'none' }),
  get('/health', {}, { caller: 'none' }),
]

/** Without ClickHouse. */
export const down: readonly Asked[] = [
  ...everywhere({}),
  get(`${own}/event-data/${knownEvent}`),
  ...formats.map((accept) => ask(reports[0], {}, { headers: { accept } })),
  ask(reports[0], { title: 're.(' }),
  ask(reports[0], { nope: 1 }),
  batchOf([inRange('events'), own]),
  get(own),
  get('/health'),
]
