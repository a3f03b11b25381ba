import { describe, expect, it } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { batch } from '../support/batch.ts'
import { type Headers, operator, post } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { inTurn, isLong } from '../support/long.ts'
import { keyOf, newPerson, websiteOf } from '../support/people.ts'
import { refused } from '../support/refusals.ts'
import { reports } from '../support/reports.ts'
import { askOf, pathTo, savedFor } from '../support/requests.ts'
import { saved } from '../support/saved.ts'
import { seed } from '../support/seed.ts'
import { share } from '../support/ways.ts'
import { day } from '../support/website.ts'
import { pathOf, type Reply, send } from '../support/weir.ts'

/** Everything that can be opened. */
const everything = {
  ...Object.fromEntries(sections.map((section) => [section, true])),
  allowSessionProperties: true,
  allowExport: true,
}

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id }, { public: JSON.stringify(everything) })
/** The headers with which to read through each kind of opening. */
const ways = { share: (await share(everything, { website_id: websiteId })).headers, 'public website': {} }
const own = await keyOf(owner)

type Filters = readonly (readonly [name: string, value: string])[]

const eventsPath = (filters: Filters, id = websiteId): string =>
  pathOf(`/api/websites/${id}/events`, [
    ...Object.entries(day).map(([n, v]) => [n, String(v)] as const),
    ...filters,
  ] as never)

const events = (filters: Filters, headers: Headers, id?: string): Promise<Reply> =>
  send(eventsPath(filters, id), { headers })

const patterns = (...values: string[]): Filters => values.map((value, index) => [`path${index || ''}`, `re.${value}`])

/** The parameters and messages in a refusal. */
const told = ({ status, body }: Reply): unknown[] => [
  status,
  ...(body.error?.issues ?? []).map(({ path, message }: { path: string; message: string }) => `${path}: ${message}`),
]

const saysPatterns = /^path3: At most 3 patterns/
const saysLength = /^path: A pattern must be at most 200 characters/
const saysRepetitions = /^path1?: The repetitions of all patterns.* at most 100 /
const saysSize = /^path: Written out, .*at most 250 characters longer/

describe.each(['share', 'public website'] as const)('patterns through a %s', (way) => {
  it.each<[string, Filters]>([
    ['three of 200 characters', patterns('a'.repeat(200), 'b'.repeat(200), 'c'.repeat(200))],
    ['a hundred repetitions', patterns('(.{0,10}a){10}z')],
    ['a hundred repetitions in several', patterns('a{50}', 'b{0,49}', 'c{1,}')],
    ['no repetitions', patterns('a*.*b+c??'.repeat(20), '\\{9999}', '[{9999}]')],
    ['other filters', Array.from({ length: 20 }, (_, index) => [`title${index}`, `c.{1000}${index}`] as const)],
  ])('may be %s', async (_, filters) => {
    expect(told(await events(filters, ways[way]))).toEqual([200])
  })

  it.each<[string, Filters, RegExp]>([
    ['four', patterns('a', 'b', 'c', 'd'), saysPatterns],
    ['201 characters long', patterns('a'.repeat(201)), saysLength],
    ['101 repetitions', patterns('a{101}'), saysRepetitions],
    ['101 repetitions in nested groups', patterns('((a{5}){5}){5}'), saysRepetitions],
    ['101 repetitions in several', patterns('a{50}', 'b{51}'), saysRepetitions],
    ['101 repetitions with a negation', [['path', 'nre.(.{0,300}){3}']], saysRepetitions],
    ['long when written out', patterns(`(?:${'a.?'.repeat(8)}){100}`), saysSize],
    ['many Unicode classes', patterns('\\pL{50}'), saysSize],
    // RE2 takes 46 microseconds for each letter in a text.
    ['long because of optional parts', patterns(`.*a(${'.?'.repeat(10)}){90}z`), saysSize],
  ])('may not be %s', async (_, filters, message) => {
    expect(told(await events(filters, ways[way]))).toEqual([400, expect.stringMatching(message)])
    // The check also applies before price estimates and exports.
    expect((await events([...filters, ['dryRun', '1']], ways[way])).status).toBe(400)
    expect((await events(filters, { ...ways[way], accept: 'text/csv' })).status).toBeGreaterThanOrEqual(400)
  })
})

const tooMuch = 're.a{101}'

/** Every spelling of a filter that a report accepts, with the parameter that a refusal must identify. */
function spellings({ query }: AnyReport): [name: string, value: string][] {
  const names = Object.keys(query.parameters).filter((name) => !query.ignored.has(name))
  if (!names.includes('epf0')) return []
  const fields: [string, string][] = [
    ['browser', tooMuch],
    ['browser7', 'nre.a{101}'],
    ['filters[browser]', tooMuch],
    ['filters', JSON.stringify({ browser: tooMuch })],
    ['filters', JSON.stringify({ epf0: `1.${tooMuch.replace('.', '.plan.')}` })],
    ['epf0', '1.re.plan.a{101}'],
    ['epf4', '1.nre.plan.a{101}'],
    ['spf0', '1.re.plan.a{101}'],
    ['spf2', '1.nre.plan.a{101}'],
  ]
  const short: [string, string][] = [
    ['pf_plan', 're.a{101}'],
    ['pf_plan', '1.nre.a{101}'],
  ]
  return names.some((name) => name.startsWith('pf_')) ? [...fields, ...short] : fields
}

/** A report's answer through the share with these filters, which for a POST are in its body. */
async function asked(report: AnyReport, filters: Readonly<Record<string, string>>): Promise<Reply> {
  const init = askOf(report, ways.share, { websiteId })
  const ids = { websiteId, ...(await savedFor(report, websiteId)) }
  if (report.method !== 'post') return send(pathTo(report, ids, filters), init)
  return send(pathTo(report, ids), { ...init, body: JSON.stringify({ ...JSON.parse(String(init.body)), filters }) })
}

describe('every report', () => {
  const filtered = reports.filter((report) => report.access.sections.length > 0 && spellings(report).length > 0)

  it('is in the list below if it accepts filters', () => {
    expect(filtered.length).toBeGreaterThan(50)
    expect(filtered.some(({ method }) => method === 'post')).toBe(true)
  })

  it.each(inTurn(filtered, seed, 3).map((report) => [report.path, report] as const))(
    'counts every spelling: %s',
    async (_, report) => {
      // `npm test` uses a third of the spellings, depending on the report.
      await forEach(
        inTurn(spellings(report), Math.floor(filtered.indexOf(report) / 3) + seed, 3),
        async ([name, value]) => {
          // In a body, the filters are an object.
          const given: object = report.method === 'post' && name === 'filters' ? JSON.parse(value) : { [name]: value }
          if (report.method === 'post' && name.startsWith('filters[')) return
          const reply = await asked(report, given as Record<string, string>)
          const parameter = expect.stringContaining(name === 'filters' ? Object.keys(JSON.parse(value))[0]! : name)
          expect([reply.status, reply.body.error?.issues], `${name}=${value}`).toEqual([
            400,
            [{ path: parameter, message: expect.stringContaining('repetitions') }],
          ])
          if (!isLong && Math.floor(filtered.indexOf(report) / 3) % 4 !== 0) return
          const allowed = JSON.stringify(given).replaceAll('{101}', '{100}')
          const fine = await asked(report, JSON.parse(allowed))
          expect(fine.body.error?.issues, `${name}=${value}`).toBe(undefined)
        },
      )
    },
  )
})

describe('the segment and cohort in a request', () => {
  const filter = (value: string) => ({ name: 'browser', operator: 're' as const, value })
  const action = { action: { type: 'path' as const, value: '/' }, dateRange: `range:${day.startAt}:${day.endAt}` }

  it('have patterns that count towards the request’s limits, with errors under their own names', async () => {
    const segment = await saved(websiteId, 'segment', { filters: [filter('a{60}'), filter('b')] })
    const cohort = await saved(websiteId, 'cohort', { ...action, filters: [filter('c{60}')] })
    const alone = [await events([['segment', segment]], ways.share), await events([['cohort', cohort]], ways.share)]
    expect(alone.map(({ status }) => status)).toEqual([200, 200])
    const both: Filters = [
      ['segment', segment],
      ['cohort', cohort],
    ]
    expect(told(await events(both, ways.share))).toEqual([400, expect.stringMatching(/^cohort: .*at most 100/)])
    expect(told(await events(both, own))).toEqual([200])
    const beside = [...patterns('d', 'e'), ['segment', segment] as const]
    expect(told(await events(beside, ways.share))).toEqual([
      400,
      expect.stringMatching(/^(segment|path1): At most 3 patterns/),
    ])
    const replaced: Filters = [
      ['browser', 're.x{100}'],
      ['segment', segment],
    ]
    expect(told(await events(replaced, ways.share))).toEqual([200])
  })

  it('are refused if a saved pattern exceeds the limit that applies to everybody', async () => {
    const segment = await saved(websiteId, 'segment', { filters: [filter('(a{40}){26}')] })
    for (const headers of [own, operator, ways.share, ways['public website']]) {
      expect(told(await events([['segment', segment]], headers))).toEqual([400, expect.stringMatching(/^segment: /)])
    }
  })
})

it('patterns in locked filters do not count towards the limits', async () => {
  const filters = Object.fromEntries(
    ['browser', 'browser1', 'os', 'os1', 'path'].map((name, index) => [name, `nre.(.{0,20}x){${index + 2}}`]),
  )
  const locked = await share({ ...everything, filters }, { website_id: websiteId })
  expect(told(await events(patterns('a{50}', 'b{50}', 'c'), locked.headers))).toEqual([200])
  refused(await events(patterns('a{101}'), locked.headers), 'path')
})

describe('a batch', () => {
  it('has a single limit for all of its paths through shares and public websites', async () => {
    for (const headers of Object.values(ways)) {
      const { answers } = await batch(
        [eventsPath(patterns('a{60}')), eventsPath(patterns('b{60}')), eventsPath(patterns('c', 'd')), eventsPath([])],
        headers,
      )
      // The paths run concurrently, so the first one uses the budget, and the other one is refused.
      const statuses = answers.map(({ status }) => status)
      expect(statuses.slice(0, 2).sort()).toEqual([200, 400])
      expect(statuses.slice(2)).toEqual([200, 200])
      const many = await batch(
        Array.from({ length: 8 }, (_, index) => eventsPath(patterns(`x${index}`))),
        headers,
      )
      expect(many.answers.filter(({ status }) => status === 200)).toHaveLength(3)
      expect(many.answers.find(({ status }) => status === 400)!.body.error.issues).toEqual([
        { path: 'path', message: expect.stringContaining('At most 3 patterns') },
      ])
    }
  })

  it('counts patterns over all websites, except those that the caller may read anyway', async () => {
    const other = await websiteOf({}, { public: JSON.stringify(everything) })
    const mine = Array.from({ length: 6 }, (_, index) => eventsPath(patterns(`m${index}{90}`)))
    const others = [websiteId, other].flatMap((id) => [eventsPath(patterns('a', 'b'), id)])
    const stranger = await keyOf(await newPerson())
    const { answers } = await batch(others, stranger)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const owned = await batch(mine, own)
    expect(owned.answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
  })
})

describe('patterns from readers with a right of their own', () => {
  it.each(['^/blog/\\d{4}/\\d{2}/\\d{2}/[\\w-]{1,80}$', '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}', '(.{0,300}){3}'])(
    'may be ordinary patterns: %s',
    async (pattern) => {
      expect(told(await events(patterns(pattern), own))).toEqual([200])
    },
  )

  it('may be numerous and long', async () => {
    expect(told(await events(patterns(...Array.from({ length: 40 }, () => 'a'.repeat(50))), own))).toEqual([200])
  })

  it('may have at most a thousand repetitions in total', async () => {
    expect(told(await events(patterns('a{500}', 'b{500}'), own))).toEqual([200])
    const refusal = [400, expect.stringMatching(/^path1: The repetitions.*at most 1000: nested/)]
    expect(told(await events(patterns('a{500}', 'b{501}'), own))).toEqual(refusal)
    expect(told(await events(patterns('a', '(b{40}){30}'), own))).toEqual(refusal)
    const attack = await events(patterns(...Array.from({ length: 49 }, () => '(.{0,300}){3}')), own)
    expect(attack.status).toBe(400)
    const goal = {
      websiteId,
      type: 'goal',
      filters: { path: 're.(a{40}){30}' },
      parameters: { ...day, type: 'path', value: '/' },
    }
    refused(await post('/api/reports/goal', goal, own), 'filters.path')
  })
})
