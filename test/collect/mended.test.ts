import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { places } from '../../src/local/paths.ts'
import { id } from '../oracle/fixtures.ts'
import { post } from '../support/callers.ts'
import { eventsOf, type Property, person, type Stored, sendOne, stored, storedOf } from '../support/collecting.ts'
import { hostileJson } from '../support/hostile.ts'
import { runs } from '../support/long.ts'
import { newWebsite, type Reply, running, send } from '../support/weir.ts'

/** Tests section 15.1 of the contract: an invalid field never causes its event to be refused. */

type Fields = Readonly<Record<string, string>>

/** An object whose payload's fields are given as JSON, so that numbers are sent exactly as written here. */
const bodyOf = (fields: Fields, type: string): string => {
  const payload = Object.entries(fields).map(([name, json]) => `${JSON.stringify(name)}:${json}`)
  return `{"type":"${type}","payload":{${payload.join()}}}`
}

const sendBody = (path: string, body: string): Promise<Reply> => send(path, { method: 'POST', headers: person, body })

const sendJson = (fields: Fields, type = 'event'): Promise<Reply> => sendBody('/api/send', bodyOf(fields, type))

/** Sends these objects in batches. Asserts that none is refused, and returns the paths in the warnings of each. */
async function sendAll(all: readonly Fields[], type = 'event'): Promise<{ stored: number; paths: string[][] }> {
  // The answer to a batch has the warnings of at most 20 of its events.
  const some = all.slice(0, 20)
  if (some.length === 0) return { stored: 0, paths: [] }
  const { status, body } = await sendBody('/api/batch', `[${some.map((fields) => bodyOf(fields, type)).join()}]`)
  expect([status, body.size, body.errors]).toEqual([200, some.length, 0])
  const told = new Map<number, object>(body.details.map(({ index, response }: Detail) => [index, response]))
  const others = await sendAll(all.slice(20), type)
  const paths = some.map((_, index) => pathsIn(told.get(index) ?? {}))
  return { stored: body.processed - body.ignored + others.stored, paths: [...paths, ...others.paths] }
}

interface Detail {
  readonly index: number
  readonly response: object
}

const pathsIn = ({ warnings = [] }: { readonly warnings?: readonly { readonly path: string }[] }): string[] =>
  warnings.map(({ path }) => path.replace('payload.', ''))

/** The maximum number of characters of each text. */
const lengths = {
  ...{ hostname: 100, language: 35, screen: 11, name: 50, tag: 50, id: 255, userAgent: 1000 },
  ...{ browser: 255, os: 255, device: 255, region: 255, city: 255 },
}
const figures = { lcp: 60_000, inp: 60_000, fcp: 60_000, ttfb: 60_000, cls: 100 }

/** Whether a field accepts this JSON unchanged. */
function fits(field: string, json: string): boolean {
  const value: unknown = JSON.parse(json)
  const longest = { ...lengths, title: 1e9 }[field]
  if (longest !== undefined) return typeof value === 'string' && [...value].length <= longest
  const greatest = (figures as Record<string, number>)[field]
  if (greatest !== undefined) {
    const isNumeral = typeof value === 'string' && /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(value)
    return (typeof value === 'number' || isNumeral) && Number(value) >= 0 && Number(value) <= greatest
  }
  return field === 'referrer' && typeof value === 'string' && URL.canParse(value, 'https://localhost')
}

const shared = await newWebsite()

it('an event is never refused because of half a surrogate pair, wherever a text is truncated', async () => {
  const website = await newWebsite()
  const pairs = '😀'.repeat(1200)
  const values = [0, 1].flatMap((shift) => {
    const text = `${'x'.repeat(shift)}${pairs}`
    return [JSON.stringify(text), `[${' '.repeat(shift)}${JSON.stringify(pairs)}]`, `{"k":${JSON.stringify(text)}}`]
  })
  values.push(`[${' '.repeat(997)}"😀"]`, '"\\ud83d"', '["\\ude00"]')
  const fields = [...Object.keys(lengths), 'title', 'referrer', 'url', 'data']
  let sent = 0
  for (const field of fields) {
    const some = field === 'url' ? values.filter((json) => json.startsWith('"')) : values
    sent += (await sendAll(some.map((json) => ({ website: JSON.stringify(website), [field]: json })))).stored
  }
  expect(sent).toBeGreaterThan(100)
  expect(await eventsOf(website, sent)).toHaveLength(sent)
})

describe('a field of any type and size', () => {
  const fields = [...Object.keys(lengths), ...Object.keys(figures), 'title', 'referrer', 'ip', 'country']

  const site = JSON.stringify(shared)
  const ofAnyone = fields.filter((field) => field !== 'userAgent')

  it.concurrent.each(ofAnyone)(
    'never invalidates its event, but gets a warning if it is invalid: %s',
    async (field) => {
      const { paths } = await sendAll(hostileJson.map((json) => ({ website: site, [field]: json })))
      for (const [index, json] of hostileJson.entries()) {
        expect(new Set(paths[index]), json.slice(0, 60)).toEqual(new Set(fits(field, json) ? [] : [field]))
      }
    },
  )

  it('never invalidates its event, but gets a warning if it is invalid: userAgent', async () => {
    for (const json of hostileJson) {
      const { status, body } = await sendJson({ website: site, userAgent: json })
      // An empty User-Agent means a bot.
      const expected = body.beep || fits('userAgent', json) ? [] : ['userAgent']
      expect([json.slice(0, 60), status, pathsIn(body)]).toEqual([json.slice(0, 60), 200, expected])
    }
  })

  it.concurrent.each([
    ['data', (json: string) => json],
    ['data', (json: string) => `{"a":${json},"b":{"c":${json}}}`],
    ['unknown', (json: string) => json],
  ] as const)('never causes its event to be refused: in %s', async (field, placed) => {
    for (const type of ['event', 'identify']) {
      const { paths } = await sendAll(
        hostileJson.map((json) => ({ website: site, [field]: placed(json) })),
        type,
      )
      if (field === 'unknown') expect(paths.flat()).toEqual([])
    }
  })

  it('never causes its event to be refused, whatever its value', async () => {
    const refusing = ['website', 'link', 'pixel', 'url', 'timestamp', 'eventId']
    const name = fc
      .oneof(fc.constantFrom(...fields, 'data', 'unknown'), fc.string())
      .filter((one) => !refusing.includes(one))
    const json = fc.oneof(fc.json({ maxDepth: 3 }), fc.constantFrom(...hostileJson), fc.double().map(String))
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(name, json),
        fc.constantFrom('event', 'identify', 'performance'),
        async (sent, type) => {
          const isJson = Object.values(sent).every((one) => !/^-?(NaN|Infinity)$/.test(one))
          const { status, body } = await sendJson({ ...sent, website: JSON.stringify(shared) }, type)
          expect([status, body.error?.message]).toEqual(isJson ? [200, undefined] : [400, 'The body is not JSON.'])
        },
      ),
      { numRuns: runs(60, 5000) },
    )
  })

  it('gets at most 20 warnings', async () => {
    const wrong = Object.fromEntries([...fields, 'data'].map((field) => [field, '[]']))
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`k${place}`, '9'.repeat(2001)]))
    for (const data of ['[]', JSON.stringify(many)]) {
      const { status, body } = await sendJson({ ...wrong, website: JSON.stringify(shared), data })
      expect([status, body.warnings.length]).toEqual([200, 20])
    }
  })
})

/** The paths in the warnings about a sent payload, and its stored row. */
interface Mended {
  readonly paths: readonly string[]
  readonly row: Stored
}

/** Sends these payloads. Returns the warnings and the row of each. */
async function mended(all: readonly Fields[], type = 'event'): Promise<Mended[]> {
  const website = await newWebsite()
  const { paths } = await sendAll(
    all.map((fields, place) => ({ website: JSON.stringify(website), eventId: `"${id(place)}"`, ...fields })),
    type,
  )
  const rows = new Map((await eventsOf(website, all.length)).map((row) => [row.event_id, row]))
  return all.map((_, place) => ({ paths: paths[place]!, row: rows.get(id(place))! }))
}

const facebook =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/21G93 [FBAN/FBIOS;FBAV/480.0.0.34.106;FBBV/639093331;FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.6.1;FBSS/3;FBCR/Operator;FBID/phone;FBLC/de_DE;FBOP/5]'
const title = 'Download the complete annual report 2026 as PDF now'

type Part = [Fields, paths: string[], row: object]
type OfData = [json: string, paths: string[], properties: Property[]]
const ofData = ([data, paths, properties]: OfData): Part => [{ name: '"e"', data }, paths, { properties }]

describe('an invalid part of a payload', () => {
  const parts: Part[] = [
    [{ userAgent: JSON.stringify(facebook) }, [], { browser: 'facebook', os: 'iOS', device: 'mobile' }],
    [{ name: JSON.stringify(title) }, ['name'], { event_name: title.slice(0, 50), event_type: 2 }],
    [{ name: '5' }, ['name'], { event_name: '5' }],
    [{ name: '1.0' }, ['name'], { event_name: '1.0' }],
    [{ name: '{"a": [1.0, "\\u00e9"]}' }, ['name'], { event_name: '{"a":[1.0,"é"]}', event_type: 2 }],
    [{ name: '""' }, [], { event_type: 1 }],
    [{ screen: '"392.72727272727275x850.9090909090909"' }, ['screen'], { screen: '393x851' }],
    [{ screen: '"1e400x2222222222"' }, ['screen'], { screen: '1e400x22222' }],
    [{ screen: '1920' }, ['screen'], { screen: '1920' }],
    [{ tag: '["a"]' }, ['tag'], { tag: '' }],
    [{ title: '42' }, ['title'], { page_title: '42' }],
    [{ id: '1234567890123456789' }, ['id'], { distinct_id: '1234567890123456789' }],
    [{ id: '12345' }, ['id'], { distinct_id: '12345' }],
    [{ id: 'true' }, ['id'], { distinct_id: 'true' }],
    [{ language: JSON.stringify('😀'.repeat(36)) }, ['language'], { language: '😀'.repeat(35) }],
    [{ referrer: '"http://"' }, ['referrer'], { referrer_domain: '', referrer_path: '' }],
    [{ country: '"DEU"' }, ['country'], { country: '' }],
    [{ ip: '"nobody"' }, ['ip'], {}],
  ]
  const data: OfData[] = [
    ['{"n":1234567890123456789}', ['data.n'], [['n', 1, '1234567890123456789', null, null]]],
    ['{"n":-9007199254740991}', [], [['n', 2, '-9007199254740991.0000', '-9007199254740991', null]]],
    ['{"n":9007199254740992}', ['data.n'], [['n', 1, '9007199254740992', null, null]]],
    ['{"n":9007199254740991.5}', ['data.n'], [['n', 1, '9007199254740991.5', null, null]]],
    ['{"n":1e400}', ['data.n'], [['n', 1, '1e400', null, null]]],
    [`{"n":0.${'3'.repeat(30)}}`, ['data.n'], [['n', 1, `0.${'3'.repeat(30)}`, null, null]]],
    [`{"n":0.${'3'.repeat(29)}}`, [], [['n', 2, '0.3333', '0.3333', null]]],
    ['{"n":0.00001234}', [], [['n', 2, '0.0000', '0', null]]],
    [
      '{"n":1.00005,"m":-1.00005}',
      [],
      [
        ['m', 2, '-1.0001', '-1.0001', null],
        ['n', 2, '1.0001', '1.0001', null],
      ],
    ],
    ['{"n":1.00004999999999999999}', [], [['n', 2, '1.0000', '1', null]]],
    [
      '{"n":1.5e3,"m":15E-1}',
      [],
      [
        ['m', 2, '1.5000', '1.5', null],
        ['n', 2, '1500.0000', '1500', null],
      ],
    ],
    ['{"at":"0001-01-01T00:00:00Z"}', ['data.at'], [['at', 1, '0001-01-01T00:00:00Z', null, null]]],
    [`{"t":"${'x'.repeat(2001)}"}`, ['data.t'], [['t', 1, 'x'.repeat(2000), null, null]]],
    [
      '{"l":[1.0, 1e2, 12345678901234567890, {"a": "\\u00e9\\n"}]}',
      [],
      [['l', 5, '[1.0,1e2,12345678901234567890,{"a":"é\\n"}]', null, null]],
    ],
    [`{"l":[1,"${'x'.repeat(3990)}"]}`, [], [['l', 5, `[1,"${'x'.repeat(3990)}"]`, null, null]]],
    [`{"l":[1,"${'x'.repeat(3995)}",2]}`, ['data.l'], [['l', 5, '[1]', null, null]]],
    [`{"l":["${'😀'.repeat(3994)}",2]}`, [], [['l', 5, `["${'😀'.repeat(3994)}",2]`, null, null]]],
    [`{"l":["${'😀'.repeat(3995)}",2]}`, ['data.l'], [['l', 5, `["${'😀'.repeat(3995)}"]`, null, null]]],
    [`{"${'k'.repeat(201)}":1}`, [`data.${'k'.repeat(86)}…`], [['k'.repeat(200), 2, '1.0000', '1', null]]],
    [`{"${'k'.repeat(300)}":{"a":1,"b":2}}`, [`data.${'k'.repeat(86)}…`], [['k'.repeat(200), 2, '2.0000', '2', null]]],
    ['"text"', ['data'], [['value', 1, 'text', null, null]]],
    ['5.0', ['data'], [['value', 2, '5.0000', '5', null]]],
    ['false', ['data'], [['value', 3, 'false', null, null]]],
    ['[1]', ['data'], []],
    ['""', [], []],
  ]
  const all = [...parts, ...data.map(ofData)]
  const found: Mended[] = []
  beforeAll(async () => void found.push(...(await mended(all.map(([fields]) => fields)))))

  it.each(all.map((one, place) => [...one, place] as const))('is corrected: %j', (_, paths, row, place) => {
    expect(found[place]!.paths).toEqual(paths)
    expect(found[place]!.row).toMatchObject(row)
  })

  it.concurrent('can be a property after the first 100', async () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`k${place}`, place]))
    const nested = JSON.stringify({ a: 1, inner: many(101), a2: null })
    const [all, few] = await mended([nested, JSON.stringify(many(100))].map((data) => ({ name: '"e"', data })))
    expect([all!.paths, few!.paths]).toEqual([['data'], []])
    const keys = all!.row.properties.map(([key]) => key)
    expect([keys.length, keys.includes('a'), keys.includes('inner.k98'), keys.includes('inner.k99')]).toEqual([
      100,
      true,
      true,
      false,
    ])
  })

  it.concurrent('can be a measurement outside its bounds, but not a valid one sent as a text', async () => {
    const [found] = await mended(
      [{ lcp: '"1.5"', inp: '60001', fcp: '"5 ms"', ttfb: '[]', cls: '100.5' }],
      'performance',
    )
    expect([...found!.paths].sort()).toEqual(['cls', 'fcp', 'inp', 'ttfb'])
    expect(found!.row).toMatchObject({ lcp: 1.5, inp: null, fcp: null, ttfb: null, cls: null })
  })

  it.concurrent('does not include a timestamp sent as a text', async () => {
    const seconds = Math.floor(Date.now() / 1000) - 5
    const found = await mended([`"${seconds}"`, `${seconds}.0`].map((timestamp) => ({ timestamp })))
    expect(found.map(({ paths }) => paths)).toEqual([[], []])
    // If two events have the same millisecond, the second one is stored a millisecond later.
    const times = found.map(({ row }) => Math.floor(Date.parse(`${row.created_at}Z`) / 1000))
    expect(times).toEqual([seconds, seconds])
  })
})

it.concurrent('all spellings of a host are stored in one form', async () => {
  const website = await newWebsite()
  const cases = [
    ['Example.COM', 'example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example.:8080', 'xn--bcher-kva.example:8080'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a/ü', 'a/ü'],
    ['7', '7'],
  ] as const
  for (const [tag, [hostname]] of cases.entries()) {
    const reply = await sendOne({ website, hostname, tag: String(tag), referrer: `https://${hostname}` })
    expect(reply.body).toEqual(stored)
  }
  await sendOne({ website, url: 'https://WWW.Example.com./a', tag: 'url', referrer: 'https://other.example./' })
  const rows = await eventsOf(website, cases.length + 1)
  const rowOf = (tag: string) => rows.find((row) => row.tag === tag)
  for (const [tag, [, hostname]] of cases.entries()) {
    expect(rowOf(String(tag))).toMatchObject({
      hostname,
      referrer_domain: expect.stringMatching(/^$|^a$|^0\.0\.0\.7$/),
    })
  }
  expect(rowOf('url')).toMatchObject({ hostname: 'example.com', referrer_domain: 'other.example' })
})

it.concurrent('an address may be the first of a list, and have a port', async () => {
  const website = await newWebsite()
  const own = (await sendOne({ website, ip: '192.0.2.7' })).body
  for (const ip of ['192.0.2.7, 10.0.0.1', ' 192.0.2.7:4711 ,', '192.0.2.7']) {
    expect((await sendOne({ website, ip })).body).toEqual({ ...stored, sessionId: own.sessionId, visitId: own.visitId })
  }
  const sender = (await sendOne({ website })).body.sessionId
  for (const ip of ['', '127.1', '256.1.1.1', 'unknown']) {
    expect((await sendOne({ website, ip })).body.sessionId, ip).toBe(sender)
  }
})

it.concurrent('session data is corrected, too', async () => {
  const website = await newWebsite()
  const reply = await sendJson(
    { website: JSON.stringify(website), id: '7', data: '{"n":12345678901234567890}' },
    'identify',
  )
  expect(reply.body.warnings.map(({ path }: { path: string }) => path)).toEqual(['payload.id', 'payload.data.n'])
  const { calls } = await storedOf([website], 0, 1)
  expect(calls[0]).toMatchObject({ distinct_id: '7', properties: [['n', 1, '12345678901234567890', null, null]] })
})

it.concurrent('an entire answer with warnings can be sent back in a header', async () => {
  const payload = { website: shared, id: 5, tag: [], data: { ['日'.repeat(300)]: 1, é: 'x'.repeat(2001) } }
  const body = JSON.stringify({ type: 'event', payload })
  const first = await fetch(`${running.url}/api/send`, { method: 'POST', headers: person, body })
  const text = await first.text()
  expect(JSON.parse(text).warnings.at(-1).path).toBe('payload.data.é')
  const headers = { ...person, 'cf-connecting-ip': '192.0.2.1', 'x-umami-cache': text }
  const next = await fetch(`${running.url}/api/send`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ type: 'event', payload: { website: shared } }),
  })
  expect(await next.json()).toMatchObject({ sessionId: JSON.parse(text).sessionId })
})

it('warnings are counted per website', async () => {
  const website = await newWebsite()
  const counted = async (): Promise<number> => {
    const token = readFileSync(places(running.dataDir).metricsToken, 'utf8')
    const headers = { authorization: `Bearer ${token}` }
    const text = await (await fetch(`${running.url}/metrics`, { headers })).text()
    return Number(
      new RegExp(`^weir_collect_warnings_total\\{website="${website}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
    )
  }
  await post(
    '/api/batch',
    [
      { type: 'event', payload: { website, tag: [], name: 5 } },
      { type: 'event', payload: { website, id: 5 } },
    ],
    person,
  )
  await sendOne({ website, tag: 5 }, { 'user-agent': 'curl/8' })
  expect(await counted()).toBe(3)
})
