import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { api } from '../../src/app.ts'
import { matchesEtag } from '../../src/cache/stored.ts'
import { Mask } from '../../src/collect/masking.ts'
import { readSubmission, sentNames } from '../../src/collect/payload.ts'
import { heatmapRows } from '../../src/collect/recording.ts'
import { readSent } from '../../src/collect/sent.ts'
import { NewWebsiteBody } from '../../src/endpoints/websites/websites.ts'
import { invalid, maxIssues } from '../../src/errors.ts'
import { filters, noFilters } from '../../src/request/filters.ts'
import { isTooDeep, maxJsonDepth } from '../../src/request/json.ts'
import { JsonReader } from '../../src/request/json-reader.ts'
import { readLocked } from '../../src/request/locked-filters.ts'
import { pages } from '../../src/request/page.ts'
import { patternRefused } from '../../src/request/patterns.ts'
import { range } from '../../src/request/period.ts'
import { excessOf, malformedNames, query } from '../../src/request/query-string.ts'
import { CohortParameters, SegmentParameters } from '../../src/request/saved-filters.ts'
import { preferredFormat } from '../../src/serve/export/accept.ts'
import { send } from '../support/rowless.ts'
import { running } from '../support/weir.ts'

/**
 * With quadratic work, texts of this length would take many minutes. So a test that finishes within its time limit
 * proves that the work is not quadratic.
 */
const length = 500_000

const long = (part: string): string => part.repeat(length / part.length)

const report = query(range, pages, filters({ shorthand: 'properties' }))

const issuesOf = (raw: Record<string, string | string[]>) =>
  (report.schema.safeParse({ startAt: '1', endAt: '100000000000', ...raw }).error?.issues ?? []).map(
    ({ path, message }) => ({ path: path.join('.'), message }),
  )

/** Texts for which a quadratic expression would read the same characters again and again. */
const hostile: readonly string[] = [
  `${long('1')}x`,
  `browser${long('1')}x`,
  `pf_${long('1')}x`,
  `pf_${long('1')}`,
  `epf${long('1')}x`,
  `spf${long('1')}x`,
  `filters[${long(']')}x`,
  `filters[${long('1')}x]`,
  `${long(' ')}x`,
  `${long('\n')}x`,
  `re.${long('a')}`,
  `eq.${long('\\,')}`,
  `eq.${long(',')}`,
  `1.eq.${long('a')}`,
  `1.eq.${long('.')}`,
  `1.${long('a')}`,
  `2.eq.plan.${long('1')}x`,
  `4.eq.plan.2025-10-15T16:26:28.${long('1')}x`,
  `neq.${long('1,')}x`,
  `2025-10-15T16:26:28.${long('1')}x`,
  `2025-10-15T16:26:28${long('+00:00')}`,
  `A${long('a/')}`,
  `range:${long('1')}:1`,
  long('%41'),
  long('='),
  long('"'),
  long('{"a":'),
  long('['),
]

const named = hostile.map((text) => [JSON.stringify(text.slice(0, 30)), text] as const)

describe('a query string', () => {
  it.each(named)('may contain a name of any length: %s', (_, name) => {
    expect(issuesOf({ [name]: 'x' })).toEqual([{ path: name, message: 'A name must be at most 4000 characters long.' }])
    const spelled = `filters.${name}`
    expect(issuesOf({ filters: JSON.stringify({ [name]: 'x' }) })).toEqual([
      { path: spelled, message: 'A name must be at most 4000 characters long.' },
    ])
  })

  const takes = Object.keys(report.parameters).flatMap((name) => (name === 'pf_{property}' ? ['pf_plan'] : [name]))

  it.each(named)('may contain a value of any length: %s', (_, value) => {
    for (const name of takes) {
      // Only whether there is an answer matters, not its content.
      const paths = issuesOf({ [name]: value }).map(({ path }) => path)
      expect([name, paths]).toEqual([name, name === 'excludeBounce' && paths.length === 0 ? [] : [name]])
    }
  })

  it('is refused without parsing if it is too long or has too many parameters', () => {
    const [tooLong, tooMany] = ['A query string may have at most 100000', 'A query string may have at most 200']
    const parameters = (count: number): string => `?${Array(count).fill('a=1').join('&')}`
    expect([excessOf(`?${'x'.repeat(99_999)}`), excessOf(parameters(200)), excessOf('')]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(excessOf(`?${'x'.repeat(100_000)}`)).toBe(`${tooLong} characters.`)
    expect(excessOf(parameters(201))).toBe(`${tooMany} parameters.`)
    expect(excessOf(`?${'&'.repeat(200)}`)).toBe(`${tooMany} parameters.`)
    expect(excessOf(`?${'&'.repeat(10_000_000)}`)).toBe(`${tooLong} characters.`)
  })

  it('may contain names as long as values: 4,000 characters', () => {
    const property = 'x'.repeat(3997)
    expect(
      report.schema.parse({ startAt: '1', endAt: '100000000000', [`pf_${property}`]: 'eq.1' }).filters.properties,
    ).toEqual([{ parameter: `pf_${property}`, property, dataType: 1, operator: 'eq', values: ['1'] }])
    expect(issuesOf({ [`pf_${property}x`]: 'eq.1' })).toHaveLength(1)
  })

  it('is refused for the first excess filter, however many follow', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`browser${index}`, 'x']))
    const [issue, ...others] = issuesOf({ filters: JSON.stringify(many) })
    expect([issue, others]).toEqual([{ path: 'filters.browser50', message: 'At most 50 filters may be given.' }, []])
    const bad = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`browser${index}`, null]))
    expect(issuesOf({ filters: JSON.stringify(bad) })).toHaveLength(maxIssues)
    expect(issuesOf({ filters: JSON.stringify({ browser: Array(20_000).fill('x') }) })).toHaveLength(1)
    expect(issuesOf({ browser: Array<string>(20_000).fill('x') })).toHaveLength(1)
  })

  it('is read only once if it is not percent-encoded', () => {
    for (const text of hostile) expect(malformedNames(`?${text}`).length).toBeLessThanOrEqual(1)
  })
})

describe('JSON', () => {
  it('may be nested 50 deep, without counting brackets in strings', () => {
    const nested = (depth: number) => `${'[{"a":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`
    expect([isTooDeep(nested(maxJsonDepth)), isTooDeep(nested(maxJsonDepth + 2))]).toEqual([false, true])
    expect(isTooDeep(JSON.stringify([long('['), `\\"${long('{')}`, '\\', long('"'), long('[')]))).toBe(false)
    expect(isTooDeep(`["a\\\\", ${'['.repeat(maxJsonDepth)}`)).toBe(true)
  })

  it('is refused in filters if it is nested more deeply', () => {
    const deep = JSON.parse(`{"browser":${'['.repeat(60)}${']'.repeat(60)}}`)
    expect(issuesOf({ filters: JSON.stringify(deep) }).map(({ path }) => path)).toEqual(['filters'])
    expect(readLocked(deep).success).toBe(false)
  })

  it('is refused in a body if it is nested more deeply, by one level or by as many as fit', async () => {
    for (const depth of [maxJsonDepth, 40_000]) {
      const body = `{"name":"x","parameters":{"filters":{"browser":${'['.repeat(depth)}${']'.repeat(depth)}}}}`
      const headers = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
      const path = `/api/websites/${randomUUID()}/shares`
      const reply = await send(path, { method: 'POST', headers, body })
      expect([reply.status, reply.body.error.message]).toEqual([400, 'A body may be nested at most 50 deep.'])
    }
  })

  it.each(named)('is validated quickly before it is saved, whatever text it contains: %s', (_, text) => {
    const filter = { name: text, operator: 'eq', value: text }
    for (const schema of [SegmentParameters(), CohortParameters()]) {
      expect(schema.safeParse({ filters: [filter], dateRange: text }).success).toBe(false)
      expect(schema.safeParse({ filters: [{ ...filter, operator: 're' }] }).success).toBe(false)
      expect(schema.safeParse({ [text]: 1 }).success).toBe(false)
    }
  })
})

describe('a header', () => {
  it('may be of any length', () => {
    for (const text of hostile) {
      expect(matchesEtag('"z"', text)).toBe(false)
      expect(preferredFormat(text)).toBe(undefined)
      expect(preferredFormat(`${text};q=${text},${text}`)).toBe(undefined)
    }
    expect(matchesEtag('"a"', `${long('W/"b",')}"a"`)).toBe(true)
    expect(preferredFormat(`${'text/html,'.repeat(99)}text/csv`)?.format.type).toBe('text/csv')
    expect(preferredFormat(`${'text/html,'.repeat(100)}text/csv`)).toBe(undefined)
  })

  const app = api()
  const env = { METADATA: undefined, AUTH_SECRET: 'x'.repeat(32) }
  const ask = async (path: string, headers: Record<string, string>) =>
    (await app.request(`http://weir${path}`, { headers }, env as never)).status

  it.each([
    `Bearer${long(' ')}x y`,
    `Bearer ${long('a')} b`,
    `Bearer a${long(' ')}b`,
    `Bearer ${long('a.')}`,
    `Bearer a.${long('a')}.b`,
    `Bearer ${btoa('{"alg":"HS256","typ":"JWT"}')}.${btoa(long('['))}.b`,
  ])('may be of any length with a credential: %#', async (authorization) => {
    expect(await ask('/api/websites', { authorization })).toBe(401)
  })

  it('may be of any length if the Worker reads it', async () => {
    for (const text of hostile.filter((one) => !one.includes('\n'))) {
      const headers = { origin: text, 'x-request-id': text, 'content-type': text, 'cf-connecting-ip': text }
      expect(await ask('/health', headers)).toBe(200)
    }
  })

  it('may be sent with a path of any length; paths over 2,000 characters are unknown', async () => {
    for (const path of [
      long('/a'),
      long('/%ff%'),
      long('/%41'),
      `/api/share/${long('.')}`,
      `/api/share/${long('a')}`,
    ]) {
      expect(await ask(path, {})).toBe(404)
    }
    expect(await ask(`/health?${'x'.repeat(3000)}=1`, {})).toBe(400)
  })
})

describe('a refusal', () => {
  it('has at most 20 issues with shortened paths and messages, and starts with the parameter', () => {
    const many = Array.from({ length: 1000 }, (_, index) => ({ path: `${index}${long('x')}`, message: long('y') }))
    const { error } = invalid(many).body('id')
    expect(error.issues?.map(({ path }) => path)).toEqual(many.slice(0, 20).map(({ path }) => `${path.slice(0, 99)}…`))
    expect(error.issues?.map(({ message }) => message.length)).toEqual(Array(20).fill(1000))
    expect(error.message).toHaveLength(1000)
    expect(error.message.startsWith(`${error.issues![0]!.path}: y`)).toBe(true)
  })

  it('remains valid Unicode when it is shortened', () => {
    const [issue] = invalid([{ path: `x${'😀'.repeat(100)}`, message: 'x' }]).issues!
    expect([issue!.path.isWellFormed(), issue!.path.length]).toEqual([true, 100])
  })

  it('searches ClickHouse’s message for only 50 patterns', () => {
    const texts = Array.from({ length: 50 }, (_, index) => 'a'.repeat(4000 - index))
    const fields = texts.map((value) => ({
      ...({ parameter: 'path', name: 'path', field: 'path', operator: 're' } as const),
      value,
    }))
    const told = `cannot compile re2: (?i)${'a'.repeat(100_000)}, error: none. Look at`
    expect(patternRefused(told, { ...noFilters, fields }, false).issues).toHaveLength(1)
  })
})

describe('a URL that is sent', () => {
  afterEach(() => void vi.restoreAllMocks())

  /** The longest hosts that the platform's parser receives during this work, in characters. */
  function longestParsed(work: () => unknown): number {
    const parse = vi.spyOn(URL, 'parse')
    const canParse = vi.spyOn(URL, 'canParse')
    try {
      work()
    } catch {
      // Some of these URLs are refused.
    }
    const texts = [...parse.mock.calls, ...canParse.mock.calls].map(([text]) => String(text))
    vi.restoreAllMocks()
    return Math.max(0, ...texts.map((text) => /字+/.exec(text)?.[0].length ?? 0))
  }

  const host = '字'.repeat(5000)
  const urls = [
    `https://${host}/path`,
    `//${host}/path`,
    `\\/\\${host}`,
    `http:${host}`,
    `https:////${host}?query`,
    `\x01 ht\ttps:\n//${host}`,
    `wss://user:word@${host}:80`,
    `https://${'user'.repeat(500)}:word@${host}`,
  ]

  it.each(urls.map((url) => [JSON.stringify(url.slice(0, 20)), url] as const))(
    'is parsed with at most 1,000 characters of its host: %s',
    (_, url) => {
      const mask = new Mask('strict')
      const sent = { type: 'event', payload: { website: randomUUID(), url, referrer: url } }
      const works = [
        () => heatmapRows([{ type: 'click', url }], 0),
        () => mask.event({ type: 4, timestamp: 1, data: { href: `${url}#@` } }),
        () => mask.event({ type: 5, timestamp: 1, data: { payload: { url: `${url}#@` } } }),
        () => readSubmission(readSent(new JsonReader(JSON.stringify(sent)), sentNames), Date.now()),
      ]
      expect(works.map(longestParsed)).toEqual([1000, 1000, 1000, 1000])
    },
  )

  it('may be parsed whole if its path or its credentials are long', () => {
    const event = {
      type: 4,
      timestamp: 1,
      data: { href: `https://u:${'w'.repeat(5000)}@example.com/${'p'.repeat(5000)}` },
    }
    new Mask('moderate').event(event)
    expect(event.data.href).toBe(`https://example.com/${'p'.repeat(5000)}`)
  })

  it('is not parsed as a domain if it has more than 2,000 characters', () => {
    const body = { name: 'x', domain: `https://${host}` }
    expect(longestParsed(() => NewWebsiteBody().safeParse(body))).toBe(0)
    expect(
      NewWebsiteBody().safeParse({ ...body, domain: `https://example.com/${'p'.repeat(1900)}` }).data?.domain,
    ).toBe('example.com')
  })
})
