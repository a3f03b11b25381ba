import fc from 'fast-check'

/** Random collection requests. Names such as `$website` and `$event1` are placeholders for the test's ids. */

/** The token of a request. `answer` is the last whole response as JSON, and `other` a token from another lane. */
export type TokenChoice = 'none' | 'last' | 'first' | 'answer' | 'forged' | 'empty' | 'other'

/** An object before its names are replaced. `delta` is its timestamp, in seconds from now. */
export interface Drawn {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly delta: number | undefined
}

export interface Request {
  readonly sender: number
  /** Whether the request has a key. */
  readonly isKeyed: boolean
  readonly token: TokenChoice
  readonly body: Drawn | readonly Drawn[]
}

/** A person's request at each tick of the clock, if there is one. */
export type Lane = readonly (Request | undefined)[]

export interface Course {
  /** The milliseconds between the ticks. */
  readonly advances: readonly number[]
  readonly lanes: readonly Lane[]
}

export const ticks = 9

const minute = 60_000

/** These are odd, so that no two of them add up to exactly half an hour or an hour. */
const advances = [
  ...[1003, 6211, 59_017, 7 * minute + 13, 13 * minute + 29, 29 * minute + 37, 31 * minute + 41, 59 * minute + 43],
  ...[61 * minute + 47, 5 * 60 * minute + 53, 26 * 60 * minute + 59],
]

const characters = fc.constantFrom(
  ...['a', 'B', '7', ' ', 'é', '日', '😀'],
  '\ud83d',
  '\ude00',
  '\u0000',
  '%',
  '"',
  '\n',
  '.',
)
const word = fc.string({ unit: characters, maxLength: 12 })

/** Texts of up to this many characters, sometimes one more. */
const upTo = (longest: number): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 30, arbitrary: word.map((text) => [...text].slice(0, longest).join('')) },
    { weight: 2, arbitrary: fc.constantFrom('x', '😀').map((one) => one.repeat(longest)) },
    { weight: 2, arbitrary: fc.constantFrom('', null) },
    {
      weight: 1,
      arbitrary: fc.constantFrom<unknown>('x'.repeat(longest + 1), '😀'.repeat(longest + 1), 7, 1e21, {}, [1], true),
    },
  )

const rarely = <Value>(usual: fc.Arbitrary<Value>, ...wrong: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: usual }, { weight: 1, arbitrary: fc.constantFrom(...wrong) })

const hostname = rarely(
  fc.constantFrom(
    ...['example.com', 'www.example.com', 'Example.COM', 'localhost', 'bücher.example:8080', 'example.com.', ''],
    null,
  ),
  'a b',
  5,
)

const path = fc.oneof(
  fc.constantFrom(
    ...['/', '/a', '/caf%C3%A9', '/caf%C3', '/a%2Fb%20c', '/caf%C3%A9%/%ff%E6%97%A5%E6%97', '/undefined'],
    ...['/undefined#x', 'deep/er', '?q=1', '#top'],
  ),
  word.map((text) => `/${text}`),
  fc.constantFrom('a', '%E6%97%A5').map((one) => `/${one.repeat(600)}`),
)
const origin = fc.constantFrom('', '', '', 'https://example.com', 'https://www.shop.example', 'http://LOCALHOST:3000')
const parameter = fc.tuple(
  fc.constantFrom(
    ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term', 'gclid', 'fbclid', 'twclid', 'q'],
  ),
  fc.oneof(word.map(encodeWell), fc.constantFrom('a+b', '%zz', 'x'.repeat(300), '')),
)
const query = fc
  .array(parameter, { maxLength: 4 })
  .map((all) => (all.length === 0 ? '' : `?${all.map((one) => one.join('=')).join('&')}`))
const hash = fc.constantFrom('', '', '#part', '#%C3%A9')
const url = rarely(
  fc.tuple(origin, path, query, hash).map((parts) => parts.join('')),
  'https://',
  'http://a b/',
  3,
  '',
  null,
)
const referrer = rarely(
  fc.oneof(
    fc.constantFrom(
      ...['https://www.Google.com/search?q=weir', 'https://example.com/before', 'https://www.example.com/', '/own'],
    ),
    fc.constantFrom(
      ...['android-app://com.example.app/', 'https://t.co', 'http://', ''],
      null,
      `https://a.example/${'r'.repeat(600)}`,
    ),
  ),
  'https://',
  4,
)

function encodeWell(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  word,
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(0, -1, 2.5, 1.00005, -0.03125, 123_456.78949, 1e15, 999_999_999_999_999, -1e-9, 1e-300),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.constantFrom(
    ...['2026-02-28T12:00:00', '2026-02-28T12:00:00.123Z', '2026-02-28T12:00:00+05:30', '2026-02-30T12:00:00Z'],
  ),
  fc.constantFrom('2026-02-28', '2026-02-28T24:00:00Z', '1900-01-01T00:00:00Z', '2299-12-31T23:59:59Z'),
  fc.array(fc.oneof(word, fc.integer(), fc.constant(null)), { maxLength: 3 }),
)
const key = fc.constantFrom('a', 'b', 'a.b', 'plan', 'é😀', 'x'.repeat(200))
const tree = fc.dictionary(
  key,
  fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.dictionary(key, scalar, { maxKeys: 3 }) }),
  { maxKeys: 5 },
)
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]))
const data = fc.oneof(
  { weight: 30, arbitrary: tree.map(shortKeys) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(many(100), { long: 'y'.repeat(2000) }, { list: ['z'.repeat(3996)] }, null, {}),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(
      ...[many(101), { long: 'y'.repeat(2001) }, { list: ['z'.repeat(3997)] }, { ['k'.repeat(201)]: 1 }],
      ...[
        { big: 2 ** 53, small: 2 ** 53 - 1 },
        { early: '1899-12-31T23:59:59Z' },
        { late: '2300-01-01T00:00:00Z' },
        [1],
        'text',
        5,
      ],
    ),
  },
)

/** Removes objects below keys of 200 characters, because the objects' own keys would be too long. */
function shortKeys(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).filter(
      ([name, value]) => name.length < 200 || typeof value !== 'object' || Array.isArray(value),
    ),
  )
}

const source = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom({ website: '$website' }, { website: '$other' }) },
  {
    weight: 3,
    arbitrary: fc.constantFrom({ link: '$link' }, { pixel: '$pixel', website: null }, { website: '$UPPER' }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[
        { website: '$unknown' },
        { link: '$website' },
        { website: '$website', pixel: '$pixel' },
        {},
        { website: 'none' },
      ],
    ),
  },
)

const figure = (most: number) =>
  rarely(
    fc.oneof(fc.double({ min: 0, max: most, noNaN: true }), fc.constantFrom(0, most, null)),
    most + 1,
    -1,
    '5',
    '-5',
    'x',
    [],
    true,
  )

export const userAgents = {
  firefox: 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0',
  chrome:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  edge: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0',
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Mobile/15E148 Safari/604.1',
  ipad: 'Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.0 Mobile/15E148 Safari/604.1',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
  curl: 'curl/8.5.0',
} as const

const payload = fc
  .record(
    {
      source: fc.constant({}),
      ...{ hostname, url, referrer },
      language: fc.oneof(fc.constantFrom<unknown>('en-US', 'de', '😀'.repeat(35)), upTo(35)),
      screen: fc.oneof(
        fc.constantFrom<unknown>('1920x1080', '1921x1080', '390x844', 'x', '392.7272727x850.5'),
        upTo(11),
      ),
      title: rarely(fc.oneof(word, fc.constantFrom('caf%C3%A9', '100%', '😀'.repeat(501), '', null)), 5),
      ...{ name: upTo(50), tag: upTo(50), id: fc.oneof(fc.constantFrom<unknown>('ada', 'bob', 'ada'), upTo(255)) },
      data,
      ...{ lcp: figure(60_000), inp: figure(60_000), fcp: figure(60_000), ttfb: figure(60_000), cls: figure(100) },
      ip: fc.constantFrom<unknown>('$elsewhere', '$address', '', null),
      userAgent: fc.constantFrom<unknown>(userAgents.edge, userAgents.mac, userAgents.curl, '', null),
      ...{ browser: upTo(255), os: upTo(255), device: upTo(255), region: upTo(255), city: upTo(255) },
      country: rarely(fc.constantFrom('fr', 'US', '', null), 'FRA', '4'),
      eventId: rarely(fc.constantFrom('$event0', '$event1', '$EVENT1', null, ''), 'none', 6),
      extra: fc.constant({ anything: [1] }),
    },
    { requiredKeys: [] },
  )
  .chain((fields) =>
    // Most requests have few fields, so that visitors recur.
    fc.tuple(fc.constant(fields), fc.subarray(Object.keys(fields)), source, fc.constantFrom(true, true, false)),
  )
  .map(([fields, some, from, isSmall]) => {
    const plain = ['url', 'name', 'id', 'eventId', 'hostname', 'title']
    const names = isSmall ? some.filter((name) => plain.includes(name)) : some
    const { source: _, ...chosen } = Object.fromEntries(
      names.map((name) => [name, fields[name as keyof typeof fields]]),
    )
    return { ...chosen, ...from }
  })

const type = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom('event', 'event', 'event', 'identify', 'performance') },
  { weight: 1, arbitrary: fc.constant('view') },
)

/** Usually there is no timestamp. A timestamp more than a day ahead is refused. */
const delta = fc.oneof(
  { weight: 6, arbitrary: fc.constant(undefined) },
  { weight: 3, arbitrary: fc.constantFrom(0, -5, 4, -58, 57, -90, 75, -600, -7300, -40 * 86_400, 86_000) },
  { weight: 1, arbitrary: fc.constantFrom(86_405, 0.5) },
)

const drawn: fc.Arbitrary<Drawn> = fc.record({ type, payload, delta })

const request: fc.Arbitrary<Request> = fc.record({
  sender: fc.nat({ max: 2 }),
  isKeyed: fc.constantFrom(false, false, true),
  token: fc.constantFrom<TokenChoice>(
    'none',
    'none',
    'last',
    'last',
    'last',
    'first',
    'answer',
    'forged',
    'empty',
    'other',
  ),
  body: fc.oneof({ weight: 3, arbitrary: drawn }, { weight: 1, arbitrary: fc.array(drawn, { maxLength: 6 }) }),
})

const person: fc.Arbitrary<Request> = fc.record({
  sender: fc.constant(0),
  isKeyed: fc.constant(false),
  token: fc.constantFrom<TokenChoice>('none', 'none', 'last', 'last', 'first'),
  body: fc.constantFrom<Drawn>(
    ...[undefined, undefined, 'ada', 'bob'].map((id) => ({
      ...{ type: 'event', delta: undefined },
      payload: { website: '$website', ...(id && { id }) },
    })),
    ...['ada', 'ada', 'bob', 'bob'].map((id) => ({
      ...{ type: 'identify', delta: undefined },
      payload: { website: '$website', id },
    })),
  ),
})

/** Several lanes of requests that share a clock. */
export const courses = (lanes: number): fc.Arbitrary<Course> => coursesOf(lanes, request, advances)

/** Lanes with two people behind the same address. They sign in, lose their tokens, and pause for half an hour. */
export const people = (lanes: number): fc.Arbitrary<Course> =>
  coursesOf(lanes, person, [1003, 1003, 6211, 13 * minute + 29, 31 * minute + 41])

const coursesOf = (lanes: number, one: fc.Arbitrary<Request>, pauses: readonly number[]): fc.Arbitrary<Course> =>
  fc.record({
    advances: fc.array(fc.constantFrom(...pauses), { minLength: ticks, maxLength: ticks }),
    lanes: fc.array(fc.array(fc.option(one, { nil: undefined, freq: 4 }), { minLength: ticks, maxLength: ticks }), {
      minLength: lanes,
      maxLength: lanes,
    }),
  })
