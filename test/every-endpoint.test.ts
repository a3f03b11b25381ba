import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '../src/endpoints/endpoint.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { createKey } from '../src/local/metadata.ts'
import { type Compiled, compile } from '../src/query/sql.ts'
import type { Filters } from '../src/request/filters.ts'
import type { Comparison, Period } from '../src/request/period.ts'
import { compared } from '../src/request/period.ts'
import { requestsTo, worlds } from './oracle/generate.ts'
import { ENDPOINTS, type Endpoint as OracleEndpoint } from './oracle/model.ts'
import { hostileTexts, shapesOf } from './support/hostile.ts'
import { metadata } from './support/metadata.ts'
import { inputOf, planOf, type Question, questionOf, reportOf } from './support/questions.ts'
import { askOf, pathTo } from './support/requests.ts'
import { boundIn, outline, piecesOf, readsOf, sentBy } from './support/statements.ts'
import { get, ingest, newWebsite, running, send } from './support/weir.ts'

const named = endpoints.map((endpoint) => [endpoint.name, endpoint] as const)

describe('the list of endpoints', () => {
  it('holds every endpoint that a file of src/endpoints declares', async () => {
    const folder = new URL('../src/endpoints/', import.meta.url)
    const modules = readdirSync(folder).map((file) => import(new URL(file, folder).href) as Promise<object>)
    const declared = (await Promise.all(modules)).flatMap((module) => Object.values(module).filter(isEndpoint))
    expect(new Set(endpoints)).toEqual(new Set(declared))
    expect(endpoints.filter((endpoint) => !declared.includes(endpoint))).toEqual([])
    expect(declared.filter((endpoint) => !endpoints.includes(endpoint))).toEqual([])
  })

  it('has no name and no method of a path twice', () => {
    const routes = endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length)
    expect(new Set(routes).size).toBe(endpoints.length)
  })

  it('has no path behind one that answers in its place', () => {
    const hidden = endpoints.filter(({ method, path }, index) =>
      endpoints.slice(0, index).some((earlier) => earlier.method === method && fits(earlier.path, path)),
    )
    expect(hidden).toEqual([])
  })

  it.each(named)('says what it answers in a sentence: %s', (_name, { summary }) => {
    expect(summary).toMatch(/^[A-Z].*[^.]\.$/)
  })
})

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'kind' in value && (value.kind === 'report' || value.kind === 'action')

const fits = (pattern: string, path: string): boolean => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)

const someWorlds = fc.sample(worlds, 4)

/** Many requests to each endpoint, and requests that together use everything it takes. */
const questions = new Map(
  ENDPOINTS.map((endpoint) => [
    endpoint,
    [
      ...someWorlds.flatMap((world) => fc.sample(requestsTo(world, endpoint), 40)).map(questionOf),
      ...shapesOf(reportOf({ endpoint }), 'a'),
    ],
  ]),
)

/** The rule holds for every one of the requests; the failure names the one for which it does not. */
function always(endpoint: OracleEndpoint, rule: (question: Question) => void): void {
  for (const question of questions.get(endpoint)!) {
    try {
      rule(question)
    } catch (error) {
      throw new Error(`Not for ${question.websiteId} ${JSON.stringify(question.query)}`, { cause: error })
    }
  }
}

const compiled = (question: Question) =>
  Object.entries(sentBy(planOf(question))).map(([name, body]) => ({ name, ...compile(body) }))

/** The ranges that a statement of a plan is about: its own, and that of a cohort. */
function periodsOf(question: Question, statement: string): Period[] {
  const input = inputOf(question) as unknown as { period: Period; compare: Comparison; filters: Filters }
  const before = () => compared(input.period, input.compare)
  const own =
    statement === 'comparison'
      ? before()
      : statement === 'both'
        ? { startAt: before().startAt, endAt: input.period.endAt }
        : input.period
  return [own, ...input.filters.cohorts.map(({ period }) => period)]
}

const rangedTables = ['events', 'custom_events', 'event_data']

/** What a statement reads of a table of counts: from the first moment on, to before the second. */
type Read = (conditions: readonly string[], statement: Compiled) => { from: number; to: number }

const readDays: Read = (conditions, statement) => {
  const [[from], [to]] = [
    values(/^day >= toDate32\[\{p\d+:Int64\}\]$/, conditions, statement),
    values(/^day < toDate32\[\{p\d+:Int64\}\]$/, conditions, statement),
  ]
  expect([from, to].map((moment) => Math.abs(Number(moment) % 86_400_000))).toEqual([0, 0])
  return { from: Number(from), to: Number(to) }
}

const readMonths: Read = (conditions, statement) => {
  const month = (value: unknown) => Date.UTC(Math.floor(Number(value) / 100), (Number(value) % 100) - 1)
  const [[from], [to]] = [
    values(/^month >= \{p\d+:UInt32\}$/, conditions, statement),
    values(/^month < \{p\d+:UInt32\}$/, conditions, statement),
  ]
  return { from: month(from), to: month(to) }
}

const countedBy: Readonly<Record<string, Read>> = {
  daily_shapes: readDays,
  daily_events: readDays,
  daily_visits: readDays,
  monthly_shapes: readMonths,
  monthly_values: readMonths,
}

describe('every statement', () => {
  it.each(ENDPOINTS)('states the website once, and both ends of the range, for each table it reads: %s', (endpoint) => {
    always(endpoint, (question) => {
      for (const statement of compiled(question)) {
        const reads = readsOf(statement.query)
        expect(reads.length).toBeGreaterThan(0)
        for (const [place, { table, conditions }] of reads.entries()) {
          expect(values(/^website_id = \{p\d+:UUID\}$/, conditions, statement)).toEqual([
            question.websiteId.toLowerCase(),
          ])
          if (rangedTables.includes(table)) {
            const [startAt, another] = values(/^created_at >= \{p\d+:Int64\}$/, conditions, statement)
            const [endAt] = values(/^created_at <= \{p\d+:Int64\}$/, conditions, statement)
            // A page may be looked for in the last part of its range first.
            expect(Number(another ?? startAt)).toBeGreaterThanOrEqual(Number(startAt))
            const periods = periodsOf(question, statement.name)
            expect(place === 0 ? periods.slice(0, 1) : periods).toContainEqual({ startAt, endAt })
          } else if (table in countedBy) {
            const [own] = periodsOf(question, statement.name)
            const { from, to } = countedBy[table]!(conditions, statement)
            expect(from).toBeGreaterThanOrEqual(own!.startAt)
            expect(to).toBeLessThanOrEqual(own!.endAt + 1)
          } else expect(table).toBe('event_data_by_id')
        }
      }
    })
  })

  it.each(ENDPOINTS)(
    'lets nothing stand beside the website and the range: no or, no join, no other table: %s',
    (endpoint) => {
      always(endpoint, (question) => {
        for (const { query } of compiled(question)) {
          expect(readsOf(query).flatMap(({ conditions }) => conditions.filter((one) => /\bor\b/.test(one)))).toEqual([])
          expect(query).not.toMatch(/(?<!array )\bjoin\b|\bunion\b(?! all\b)|\bin\s+\w|\bfrom\s+\w+\s*[(.]/)
        }
      })
    },
  )

  it.each(ENDPOINTS)('is one select that changes nothing: %s', (endpoint) => {
    always(endpoint, (question) => {
      for (const { query } of compiled(question)) {
        expect(query).toMatch(/^select\s/)
        expect(query).not.toMatch(/;|--|\/\*|\b(insert|alter|create|drop|system|outfile|format)\b/)
      }
    })
  })

  it.each(ENDPOINTS)('is put together from nothing but literals of src: %s', (endpoint) => {
    always(endpoint, (question) => {
      const texts = Object.values(sentBy(planOf(question))).flatMap((body) =>
        piecesOf(body).map((piece) => piece.texts),
      )
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.filter((own) => !('raw' in own && Object.isFrozen(own)))).toEqual([])
      expect(texts.flat().filter((text) => !isInSource(text))).toEqual([])
    })
  })

  it.each(ENDPOINTS)('has the same text for every website: %s', (endpoint) => {
    always(endpoint, (question) => {
      const elsewhere = compiled({ ...question, websiteId: '0f0e0d0c-0b0a-0908-0706-050403020100' })
      expect(elsewhere.map(({ query }) => query)).toEqual(compiled(question).map(({ query }) => query))
    })
  })

  it.each(ENDPOINTS)('is a list in a whole order with a limit, or one row, or some shapes: %s', (endpoint) => {
    always(endpoint, (question) => {
      for (const { name, query } of compiled(question)) {
        const own = outline(query)
        if (/ order by /.test(own)) {
          expect(unorderedKeys(own)).toEqual([])
          expect(own).toMatch(/ limit \{p\d+:UInt64\} offset \{p\d+:UInt64\}/)
        } else if (name.startsWith('short.')) expect(own).toMatch(someShapes)
        else expect(own).toMatch(name === 'both' ? rowOfEach : oneRow)
      }
    })
  })
})

const values = (pattern: RegExp, conditions: readonly string[], statement: Compiled): unknown[] =>
  conditions.filter((condition) => pattern.test(condition)).map((condition) => boundIn(condition, statement))

const source = ['query', 'endpoints']
  .flatMap((folder) =>
    readdirSync(new URL(`../src/${folder}/`, import.meta.url)).map((file) => `../src/${folder}/${file}`),
  )
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')

/** Texts that were found there. */
const inSource = new Set<string>()

function isInSource(text: string): boolean {
  if (!inSource.has(text) && source.includes(text)) inSource.add(text)
  return inSource.has(text)
}

/** What tells two rows of a list apart and is missing in its order: all that it groups by, else the event's id. */
function unorderedKeys(own: string): string[] {
  const [, grouped] = / group by (.*?)(?: having .*?)? order by /.exec(own) ?? []
  const [, order = ''] = / order by (.*?) limit /.exec(own) ?? []
  const ordered = order.split(', ').map((one) => one.replace(/ desc$/, ''))
  return (grouped?.split(', ') ?? ['event_id']).filter((key) => !ordered.includes(key))
}

/** Only aggregates without `group by`, or at most one row of a table. */
const oneRow =
  /^select (?:(?:count|sum|uniqExact|uniqExactArray)?… as \w+(?:, )?)+ from (?!.* group by )|^select .* limit 1 settings max_threads = 1$/

/** Aggregates of two groups: a period and the one before it. */
const rowOfEach =
  /^select created_at >= \{p0:Int64\} as isCurrent(?:, (?:sum|uniqExact)… as \w+)+ from … group by isCurrent$/

/** Not more than can be taken apart; more tell that the whole statement has to answer. */
const someShapes =
  /^select if… as text, (?:toInt64|sum)… as events from .* group by shape(?: having events > 0)? limit \{p\d+:UInt64\}$/

describe('a value', () => {
  it.each(ENDPOINTS)('never changes the text of a statement, whatever stands in it: %s', (endpoint) => {
    const report = reportOf({ endpoint })
    const texts = (value: string) => shapesOf(report, value).flatMap((one) => compiled(one).map(({ query }) => query))
    const plain = texts('a')
    for (const hostile of hostileTexts) expect(texts(hostile)).toEqual(plain)
  })

  it.each(ENDPOINTS)('travels beside the statement as it was given: %s', (endpoint) => {
    const report = reportOf({ endpoint })
    const sent = (value: string) =>
      JSON.stringify(shapesOf(report, value).map((one) => compiled(one).map(({ query_params }) => query_params)))
    const place = sent('PLACE')
    for (const hostile of hostileTexts) {
      const quoted = JSON.stringify(hostile).slice(1, -1)
      expect(sent(hostile)).toBe(place.replaceAll('PLACE', () => quoted))
    }
  })
})

describe('through the Worker, every endpoint', () => {
  let filled: string
  let empty: string
  let stranger: string
  const eventId = randomUUID()

  beforeAll(async () => {
    filled = await newWebsite()
    empty = await newWebsite()
    const own = await newWebsite()
    stranger = await createKey(metadata, 'another website', { admin: false, websiteIds: [own] }, Date.now())
    await ingest([pageView(filled), purchase(filled, eventId), purchase(filled, randomUUID())])
  })

  const ids = () => ({ websiteId: filled, eventId })
  const withKey = (key: string) => ({ authorization: `Bearer ${key}` })

  it.each(named)('refuses an unknown parameter by name: %s', async (_name, endpoint) => {
    const reply = await send(pathTo(endpoint, ids(), { surprise: '1' }), askOf(endpoint, withKey(running.adminKey)))
    expect({ status: reply.status, error: reply.body.error }).toEqual({
      status: 400,
      error: {
        code: 'bad-request',
        status: 400,
        message: expect.stringMatching(/^surprise: Unknown parameter\. Allowed: /),
        requestId: expect.stringMatching(/./),
        issues: [{ path: 'surprise', message: expect.stringMatching(/^Unknown parameter\. Allowed: /) }],
      },
    })
  })

  it.each(named.filter(([, { access }]) => access.to !== 'anyone'))(
    'asks for a key before anything else: %s',
    async (_name, endpoint) => {
      const reply = await send(
        pathTo(endpoint, { websiteId: 'x', eventId: 'x', teamId: 'x', userId: 'x' }, { surprise: '1' }),
        askOf(endpoint, {}),
      )
      expect({
        status: reply.status,
        code: reply.body.error.code,
        challenge: reply.headers.get('www-authenticate'),
      }).toEqual({
        status: 401,
        code: 'unauthorized',
        challenge: 'Bearer realm="Weir"',
      })
    },
  )

  it.each(named.filter(([, { access }]) => access.to === 'website'))(
    'refuses the key of another website, after it checked the parameters: %s',
    async (_name, endpoint) => {
      const init = askOf(endpoint, withKey(stranger))
      const { status, body } = await send(pathTo(endpoint, ids()), init)
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'forbidden' })
      expect((await send(pathTo(endpoint, ids(), { surprise: '1' }), init)).status).toBe(400)
    },
  )

  it.each(named.filter(([, { path }]) => path.includes(':websiteId')))(
    'tells a website that does not exist from one that is not opened by nothing: %s',
    async (_name, endpoint) => {
      const opened = await send(pathTo(endpoint, ids()), askOf(endpoint, withKey(stranger)))
      const missing = await send(
        pathTo(endpoint, { websiteId: randomUUID(), eventId }),
        askOf(endpoint, withKey(stranger)),
      )
      const anonymous = ({ body }: typeof opened) => ({ ...body.error, requestId: '' })
      expect(anonymous(missing)).toEqual(anonymous(opened))
    },
  )

  it.each(named.filter(([, { kind }]) => kind === 'report'))(
    'answers exactly what it declares, with events and without: %s',
    async (_name, endpoint) => {
      const full = await get(pathTo(endpoint, ids()))
      const none = await get(pathTo(endpoint, { websiteId: empty, eventId }))
      for (const { status, body } of [full, none]) {
        expect(status).toBe(200)
        expect(endpoint.answer.parse(body)).toStrictEqual(body)
      }
      expect(full.body).not.toEqual(none.body)
    },
  )
})

const pageView = (website_id: string) => ({
  website_id,
  session_id: randomUUID(),
  visit_id: randomUUID(),
  event_id: randomUUID(),
  created_at: '2025-10-15 16:26:27.000',
  event_type: 1,
  url_path: '/pricing',
})

const purchase = (website_id: string, event_id: string) => ({
  ...pageView(website_id),
  event_id,
  created_at: '2025-10-15 16:26:28.500',
  event_type: 2,
  event_name: 'buy',
  'properties.key': ['amount', 'at', 'gift', 'plan', 'tags'],
  'properties.data_type': [2, 4, 3, 1, 5],
  'properties.string_value': ['10.0000', '2025-10-15T00:00:00Z', 'true', 'pro', '["a","b"]'],
  'properties.number_value': ['10', null, null, null, null],
  'properties.date_value': [null, '2025-10-15 00:00:00.000', null, null, null],
})
