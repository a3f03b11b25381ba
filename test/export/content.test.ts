import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { array, boolean, date, event, number, string } from '../oracle/fixtures.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import type { World } from '../oracle/generate-world.ts'
import { worlds } from '../oracle/generate-world.ts'
import type { IngestRow, OracleRequest } from '../oracle/model.ts'
import { requestPath } from '../oracle/request-path.ts'
import {
  admin,
  ask,
  asRecord,
  csv,
  escapedCsv,
  linesOf,
  type Row,
  rawCsv,
  readAs,
  recordsOf,
  rowsOf,
  withoutCursor,
} from '../support/exports.ts'
import { isLong, runs } from '../support/long.ts'
import { eventName, events, listReports, pagedReports } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { columnTime, websiteWith } from '../support/website.ts'
import { clickhouse, get, ingest, newWebsite } from '../support/weir.ts'

const paged = ['events', 'event-data', 'event-data-pivot'] as const
const listed = ['event-data/events', 'event-data/fields', 'event-data/properties', 'event-data/values'] as const

/** The request, but with these paging parameters instead of its own. */
function about({ query, ...request }: OracleRequest, part: Readonly<Record<string, string>>): string {
  const kept = query.filter(([name]) => !['page', 'pageSize', 'cursor', 'limit', 'offset'].includes(name))
  return requestPath({ ...request, query: [...kept, ...Object.entries(part)] })
}

/** The rows on all pages of a list. */
async function pagesOf(request: OracleRequest): Promise<Row[]> {
  const items: Row[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await get(about(request, { page: String(page), pageSize: '7' }))
    expect(status).toBe(200)
    items.push(...body.data)
    if (body.data.length < 7) return items
  }
}

async function sliceOf(request: OracleRequest): Promise<Row[]> {
  const { status, body } = await get(about(request, { limit: '10000' }))
  expect(status).toBe(200)
  return body
}

/** An export's rows. Asserts that NDJSON and CSV contain the same rows. */
async function exportOf(path: string): Promise<Row[]> {
  const rows = await rowsOf(path)
  const answer = await ask(path, rawCsv)
  expect(answer.status).toBe(200)
  const records = recordsOf(await answer.text())
  expect(records.map((record, place) => readAs(rows[place]!, record))).toStrictEqual(rows.map(asRecord))
  return rows
}

function relocated({ rows }: World): { rows: IngestRow[]; idOf: (websiteId: string) => string } {
  const ids = new Map(rows.map(({ website_id }) => [website_id, randomUUID() as string]))
  const idOf = (websiteId: string) => ids.get(websiteId) ?? [...ids.values()][0] ?? randomUUID()
  return { rows: rows.map((row) => ({ ...row, website_id: idOf(row.website_id) })), idOf }
}

const made = new Set<string>()

async function madeWebsite(id: string): Promise<void> {
  if (!made.has(id)) await newWebsite(id)
  made.add(id)
}

/** `npm test` requests all lists of a single world, because inserts take most of the time. */
const among: fc.Arbitrary<World> = isLong
  ? worlds
  : fc.constant(
      fc.sample(
        worlds.filter(({ rows }) => rows.length > 20),
        { seed, numRuns: 1 },
      )[0]!,
    )

/** Worlds that have been stored, each only once and with its own website ids. */
const stored = new Map<World, Promise<ReturnType<typeof relocated>['idOf']>>()

async function store(world: World): Promise<ReturnType<typeof relocated>['idOf']> {
  const { rows, idOf } = relocated(world)
  if (rows.length > 0) await ingest(rows)
  return idOf
}

function storedOnce(world: World): ReturnType<typeof store> {
  const made = stored.get(world) ?? store(world)
  stored.set(world, made)
  return made
}

const asked = <Endpoint extends OracleRequest['endpoint']>(endpoint: Endpoint) =>
  among.chain((world) =>
    fc.record({
      world: fc.constant(world),
      // Saved filters need ids, so they are tested in `test/endpoints/segments`.
      requests: fc.array(
        requestsTo(world, endpoint).filter(({ saved = [] }) => saved.length === 0),
        { minLength: runs(1, 8), maxLength: runs(1, 8) },
      ),
      place: fc.nat(),
    }),
  )

/** Checks many requests over many worlds, each of which has its own websites. */
const forAll = (
  endpoint: OracleRequest['endpoint'],
  agrees: (request: OracleRequest, place: number) => Promise<void>,
) =>
  fc.assert(
    fc.asyncProperty(asked(endpoint), async ({ world, requests, place }) => {
      const idOf = await storedOnce(world)
      for (const request of requests) {
        const websiteId = idOf(request.websiteId)
        await madeWebsite(websiteId)
        await agrees({ ...request, websiteId }, place)
      }
    }),
    { seed, numRuns: Number(process.env.WORLDS ?? runs(1, 4)), endOnFailure: true },
  )

describe('an export has the rows of its list’s pages, in the same order', () => {
  it.each(paged)('%s, and can be resumed after any row', async (endpoint) => {
    await forAll(endpoint, async (request, place) => {
      const rows = await exportOf(about(request, {}))
      expect(rows.map(withoutCursor)).toStrictEqual(await pagesOf(request))
      if (rows.length === 0) return
      const at = place % rows.length
      const rest = await rowsOf(about(request, { cursor: String(rows[at]!.cursor) }))
      expect(rest).toStrictEqual(rows.slice(at + 1))
    })
  })

  it.each(listed)('%s, and can be resumed after any row', async (endpoint) => {
    await forAll(endpoint, async (request, place) => {
      const rows = await exportOf(about(request, {}))
      expect(rows).toStrictEqual(await sliceOf(request))
      const at = place % (rows.length + 1)
      expect(await rowsOf(about(request, { offset: String(at) }))).toStrictEqual(rows.slice(at))
      expect(await rowsOf(about(request, { limit: '3', offset: String(at) }))).toStrictEqual(rows.slice(at, at + 3))
    })
  })
})

describe('unusual texts', () => {
  const texts = [
    ...['', '"', '""', ','],
    'a,"b"\n,c',
    '\r\n',
    '\n',
    "it's",
    '\\',
    '\\N',
    '\t',
    '\0',
    '\u2028',
    ...['😀', '=1+1', ' x ', '{}'],
  ]
  let websiteId: string

  beforeAll(async () => {
    const rows = texts.map((text, place) =>
      event(
        {
          ...{ event_name: eventName, event_id: randomUUID(), url_query: text, page_title: text },
          created_at: columnTime(1_760_529_600_000 + place),
        },
        [
          string(`key ${text}`, text),
          array('list', [text, 1, { [text]: text }]),
          boolean('yes', true),
          date('when', '1935-02-03T04:05:06.789Z'),
          number('large', '123456789012345678.1234'),
          number('small', '-0.0001'),
        ],
      ),
    )
    websiteId = await websiteWith(...rows)
  })

  it.each([...pagedReports, ...listReports])('are the same in every format: $name', async (report) => {
    const path = pathTo(
      report,
      { websiteId },
      report.path.endsWith('values') ? { propertyName: 'list', dataType: 5 } : {},
    )
    const { body } = await get(path)
    const rows = await exportOf(path)
    expect(rows.length).toBeGreaterThanOrEqual(3)
    expect(rows.map(withoutCursor)).toStrictEqual(body.data ?? body)
  })

  it('contain U+FFFD instead of invalid UTF-8 in every format', async () => {
    const broken = await newWebsite()
    await clickhouse(`insert into ingest (website_id, event_id, created_at, event_type, event_name, page_title, hostname,
        properties.key, properties.data_type, properties.string_value, properties.number_value, properties.date_value)
      select '${broken}', generateUUIDv4(), '2025-10-15 12:00:00', 2, concat('${eventName}', unhex('ff')), concat('a', unhex('c3'), 'b'), unhex('80'),
        [concat('key', unhex('fe'))], [1], [concat('x', unhex('e282'), 'y')], [null], [null]`)
    const name = `${eventName}\ufffd`
    for (const report of [...pagedReports, ...listReports]) {
      const isNamed = report.example.query.eventName !== undefined
      const path = pathTo(report, { websiteId: broken }, isNamed ? { eventName: name } : {})
      const { body } = await get(path)
      const rows = await exportOf(path)
      expect(rows.map(withoutCursor)).toStrictEqual(body.data ?? body)
    }
    const [row] = await rowsOf(pathTo(events, { websiteId: broken }))
    expect(row).toMatchObject({ eventName: name, pageTitle: 'a\ufffdb', hostname: '\ufffd' })
  })
})

/** The text with an apostrophe before each formula character that follows a separator and optional quotes. */
function within(text: string): string {
  let safe = ''
  for (const [place, sign] of [...text].entries()) {
    const before = [...text].slice(0, place).join('').replace(/"+$/, '').at(-1)
    const isFirst =
      before !== undefined && ';\t\r\n'.includes(before) && '=+-@\t\r\uff1d\uff0b\uff20\uff0d\u2212'.includes(sign)
    safe += isFirst ? `'${sign}` : sign
  }
  return safe
}

const guarded = (text: string): string =>
  (/^[=+\-@\t\r\n\uff1d\uff0b\uff20\uff0d\u2212]/.test(text) ? "'" : '') + within(text)

/** The beginnings of cells in a program that splits at one of these separators, where it drops quotation marks. */
const cellsOf = (file: string, separator: RegExp): string[] =>
  file.split(separator).map((cell) => cell.replace(/^"+/, ''))

describe('formulas in CSV', () => {
  const ascii = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=', "=HYPERLINK('x')\n", '=a","=b']
  const formulas = [...ascii, '\uff1d1', '\uff0b1', '\uff201', '\uff0d1', '\u22121']
  const inner = [
    'a;=1',
    'a\t+1',
    'a\n@1',
    'a\r\n-1',
    'a;"=1',
    'a;\t""\t\t=1',
    'a\r\r\r\r=1',
    '=1;=1\t=1',
    'a\n\u22121;\uff1d',
  ]
  const plain = [
    'a;b\n\nc\td',
    'a;1=1',
    '"=1',
    "a;'=1",
    'a,=1',
    '',
    "'=1",
    ...[' =1', 'a=1', '1-1', '0', '{"=":1}'],
    'a\uff1d1',
    '\ufe661',
    '\u20131',
    '\\=1',
    '\0=1',
  ]
  const texts = [...formulas, ...inner, ...plain]
  const ofOneName = [...pagedReports, ...listReports].filter(
    ({ example: { query } }) => 'eventName' in query || 'propertyName' in query,
  )
  let websiteId: string

  beforeAll(async () => {
    const rows = texts.map((text, place) =>
      event(
        {
          ...{ event_name: text, event_id: randomUUID(), page_title: text },
          created_at: columnTime(1_760_529_600_000 + place),
        },
        [string(`${text}key`, text), number('below', '-5'), array('list', [text, -1])],
      ),
    )
    websiteId = await websiteWith(...rows)
  })

  it.each([...pagedReports, ...listReports])(
    'are escaped with an apostrophe, unless raw values are requested: $name',
    async (report) => {
      const named = (text: string) => ({
        ...('eventName' in report.example.query && { eventName: text }),
        ...('propertyName' in report.example.query && { event: text, propertyName: `${text}key` }),
      })
      const turn = ofOneName.indexOf(report)
      const isOfOne = turn >= 0
      // In `npm test`, each report that needs a name is tested with only some of the names.
      const asked =
        isLong || !isOfOne
          ? texts
          : texts.filter(
              (_, place) =>
                place % ofOneName.length === turn && (Math.floor(place / ofOneName.length) + seed) % 4 === 0,
            )
      const counts = { formulas: 0, others: 0 }
      for (const query of isOfOne ? asked.map(named) : [{}]) {
        const path = pathTo(report, { websiteId }, query)
        const records = async (accept: string) => recordsOf(await (await ask(path, accept)).text())
        const [rows, given, escaped] = [await rowsOf(path), await records(rawCsv), await records(csv)]
        expect(await records(escapedCsv)).toStrictEqual(escaped)
        expect(given.map((record, place) => readAs(rows[place]!, record))).toStrictEqual(rows.map(asRecord))
        for (const [place, record] of given.entries()) {
          for (const [name, text] of Object.entries(record)) {
            const value = rows[place]![name]
            const safe =
              typeof value === 'string' ? guarded(text) : value && typeof value === 'object' ? within(text) : text
            expect(escaped[place]![name]).toBe(safe)
            counts[safe === text ? 'others' : 'formulas']++
          }
        }
        expect(escaped).toHaveLength(given.length)
      }
      const least = asked.filter((text) => guarded(text) !== text).length
      expect(counts.formulas).toBeGreaterThanOrEqual(least)
      expect(counts.others).toBeGreaterThan(least)
    },
  )
})

describe('CSV for spreadsheet programs', () => {
  const path = async () => {
    const formulas = ['a;=1', 'b\n=1', 'c\t=1', 'd;"=1', 'e;\r\t=1', '=1']
    const rows = formulas.map((text, place) =>
      event(
        {
          ...{ event_name: text, page_title: '', url_query: text },
          event_id: randomUUID(),
          created_at: columnTime(1_760_529_600_000 + place),
        },
        [string('key', text), number('number', '1'), array('list', [text])],
      ),
    )
    return pathTo(events, { websiteId: await websiteWith(...rows) })
  }

  it('has no cell that starts with a formula, whatever the separator', async () => {
    const file = await (await ask(await path(), csv)).text()
    for (const separator of [/;|\n/, /\t|\n/, /\r?\n/, /\r|\n/, /[;\t\r\n]/, /;/, /\t/]) {
      expect(cellsOf(file, separator).filter((cell) => /^[=+@\t\r-]/.test(cell))).toEqual([])
      expect(cellsOf(file, separator).filter((cell) => /^'[=+@\t\r-]/.test(cell)).length).toBeGreaterThan(0)
    }
  })

  it('starts with a UTF-8 BOM, but not for other programs; null is an empty cell', async () => {
    const asked = await path()
    const bytes = async (path: string, accept: string) =>
      Buffer.from(await (await ask(path, accept)).arrayBuffer()).toString('latin1')
    for (const accept of [csv, escapedCsv]) expect(await bytes(asked, accept)).toMatch(/^\xef\xbb\xbf"/)
    const plain = await bytes(asked, rawCsv)
    expect(plain).toMatch(/^"/)
    const sessions = asked.replace('/events?', '/sessions?')
    expect((await rowsOf(sessions))[0]).toMatchObject({ distinctId: null, country: '' })
    for (const accept of [csv, rawCsv]) expect(await bytes(sessions, accept)).toMatch(/,"",.*,,.*\n$/)
  })
})

describe('a long list', () => {
  const count = 12_000
  let websiteId: string
  let rows: Row[]
  const path = (query: Readonly<Record<string, string | number>> = {}) => pathTo(events, { websiteId }, query)
  const written = (some: readonly Row[]) => some.map((row) => JSON.stringify(row))

  beforeAll(async () => {
    websiteId = await newWebsite()
    await clickhouse(`insert into ingest (website_id, session_id, visit_id, event_id, created_at, event_type, url_path)
      select '${websiteId}', generateUUIDv4(1), generateUUIDv4(2), generateUUIDv4(3),
        toDateTime64('2025-10-15 00:00:00', 3, 'UTC') + toIntervalMillisecond(intDiv(number, 3)), 1, concat('/', toString(number))
      from numbers(${count})`)
    const answer = await ask(path(), 'application/x-ndjson')
    expect(answer.headers.get('content-length')).toBeNull()
    rows = linesOf(await answer.text())
  })

  it('contains the column names only once in CSV', async () => {
    const answer = await ask(path(), csv)
    const records = recordsOf(await answer.text())
    expect(records).toHaveLength(count)
    expect(records.filter(({ id }) => id === 'id')).toEqual([])
  })

  it('ends maxResults rows after the start of the list, even when resumed', async () => {
    const first = await rowsOf(path({ maxResults: 4001 }))
    expect(first).toHaveLength(4001)
    const rest = await rowsOf(path({ maxResults: 5000, cursor: String(first.at(-1)!.cursor) }))
    expect(written([...first, ...rest])).toEqual(written(rows.slice(0, 5000)))
    expect(await rowsOf(path({ maxResults: 5000, cursor: String(rest.at(-1)!.cursor) }))).toEqual([])
  })
})

it('a list without rows is empty, or contains only the column names', async () => {
  const websiteId = await newWebsite()
  for (const report of [...pagedReports, ...listReports]) {
    const path = pathTo(report, { websiteId })
    expect(await (await ask(path, 'application/x-ndjson', admin)).text()).toBe('')
    expect((await (await ask(path, csv)).text()).split('\n')).toEqual([expect.stringMatching(/^"\w+"(,"\w+")+$/), ''])
  }
})
