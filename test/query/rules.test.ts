import { readdirSync, readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { Scope } from '../../src/query/language/scope.ts'
import { Bound, type Compiled, compile, Fragment } from '../../src/query/language/sql.ts'
import { fieldColumns } from '../../src/query/tables/columns.ts'
import { chainedValues, dailyShapes, seals, sessionData, type Table, tables } from '../../src/query/tables/tables.ts'
import type { Filters } from '../../src/request/filters.ts'
import { readLocked } from '../../src/request/locked-filters.ts'
import { always, type Comparison, compared, type Period } from '../../src/request/period.ts'
import { factsOf } from '../facts/index.ts'
import { oracleName } from '../facts/oracle-of.ts'
import { eventOracle } from '../facts/oracles.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import type { World } from '../oracle/generate-world.ts'
import { worlds } from '../oracle/generate-world.ts'
import type { Endpoint } from '../oracle/model.ts'
import { hostileShapes, sealableShapesOf, shapesOf } from '../support/hostile.ts'
import { inTurn, isLong, runs } from '../support/long.ts'
import { memoised } from '../support/memoised.ts'
import { inputOf, type Question, questionOf } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { plansOf, wholeWebsite } from '../support/scope.ts'
import { seed } from '../support/seed.ts'
import { boundIn, outline, piecesOf, type Read as ReadOfTable, readsOf, sentByAll } from '../support/statements.ts'

// Reports about the current time return that time.
vi.setSystemTime(Date.now())

/** Rules for the statements of every report. The requests are derived from the report's own declaration. */
const named = reports.map((report) => [report.name, report] as const)

const someWorlds = fc.sample(worlds, { seed, numRuns: runs(1, 4) })

const requestsOf = (report: AnyReport, text: string) => [...shapesOf(report, text), ...sealableShapesOf(report, text)]

/** Requests that together use all parameters of a report, and those that chains answer. */
const shapes = new Map(reports.map((report) => [report, requestsOf(report, 'PLACE')]))

/** A changing sixth of the requests in `npm test`, or a third if there are few. */
const someShapes = (report: AnyReport): readonly Question[] => {
  const all = shapes.get(report)!
  return inTurn(all, seed + reports.indexOf(report), all.length < 12 ? 3 : 6)
}

/** Some of the declared requests, and random ones if the report has an oracle. */
const questions = new Map(
  reports.map((report) => {
    const isKnown = factsOf(report).oracle === eventOracle
    const drawn = (world: World) => requestsTo(world, oracleName(report) as Endpoint)
    const asked = (world: World) => (isKnown ? fc.sample(drawn(world), { seed, numRuns: runs(2, 40) }) : [])
    return [report, [...someWorlds.flatMap(asked).map(questionOf), ...someShapes(report)]]
  }),
)

/** Asserts that every request satisfies the rule. A failure message contains the request. */
function forAll(report: AnyReport, rule: (question: Question) => void): void {
  for (const question of questions.get(report)!) {
    try {
      rule(question)
    } catch (error) {
      throw new Error(`Not for ${question.websiteId} ${JSON.stringify(question.query)}`, { cause: error })
    }
  }
}

const read = memoised(inputOf)

/** The start of the current day. All days before it may be sealed. */
const closedBefore = Math.floor(Date.now() / 86_400_000) * 86_400_000

/** A question's possible statements, planned only once because all rules read them. */
const bodiesOf = memoised((question: Question) => {
  const input = read(question)
  const scope = { ...wholeWebsite(input.websiteId), closedBefore }
  const plans = plansOf((known) => question.report.plan(input as never, { ...scope, ...(known && { known }) }))
  return Object.values(sentByAll(plans))
})

const compiled = memoised((question: Question) => bodiesOf(question).map((body) => compile(body)))

const readsIn = memoised((statement: Compiled) => readsOf(statement.query))

const outlineOf = memoised((statement: Compiled) => outline(statement.query))

/** The ranges that a report may read: its own range, the compared range, both together, or everything until now. */
function ownPeriods(question: Question): Period[] {
  const input = read(question) as { period?: Period; compare?: Comparison; now?: number }
  const { period = always, compare, now } = input
  if (now !== undefined && input.period === undefined) {
    return [{ startAt: factsOf(question.report).looksBack!(now), endAt: now }]
  }
  if (!compare) return [period]
  const { startAt, endAt } = compared(period, compare)
  // No earlier time can be stored.
  const before = { startAt: Math.max(startAt, always.startAt), endAt }
  return [period, before, { startAt: before.startAt, endAt: period.endAt }]
}

const cohortPeriods = (question: Question): Period[] =>
  ((read(question) as { filters?: Filters }).filters?.cohorts ?? []).map(({ period }) => period)

/** The first and last time that a statement reads from a table, according to its conditions. */
type Ends = (conditions: readonly string[], statement: Compiled) => Period

const values = (pattern: RegExp, conditions: readonly string[], statement: Compiled): number[] =>
  conditions.filter((one) => pattern.test(one)).map((condition) => Number(boundIn(condition, statement)))

const monthOf = (value: number): number => Date.UTC(Math.floor(value / 100), (value % 100) - 1)

const ends: Readonly<Record<Table['grain'], Ends>> = {
  moment(conditions, statement) {
    // A statement may first search for a page in the last part of its range.
    const [startAt] = values(/^created_at >= \{p\d+:Int64\}$/, conditions, statement)
    const [endAt] = values(/^created_at <= \{p\d+:Int64\}$/, conditions, statement)
    return { startAt: startAt!, endAt: endAt! }
  },
  hour(conditions, statement) {
    const [startAt] = values(/^(hint )?hour >= \{p\d+:Int64\}$/, conditions, statement)
    const [end] = values(/^(hint )?hour < \{p\d+:Int64\}$/, conditions, statement)
    expect([startAt! % 3_600_000, end! % 3_600_000].map(Math.abs)).toEqual([0, 0])
    return { startAt: startAt!, endAt: end! - 1 }
  },
  day(conditions, statement) {
    const [startAt] = values(/^(day|toDate32\[hour\]) >= toDate32\[\{p\d+:Int64\}\]$/, conditions, statement)
    const [end] = values(/^(day|toDate32\[hour\]) < toDate32\[\{p\d+:Int64\}\]$/, conditions, statement)
    expect([startAt! % 86_400_000, end! % 86_400_000].map(Math.abs)).toEqual([0, 0])
    return { startAt: startAt!, endAt: end! - 1 }
  },
  month(conditions, statement) {
    const [first] = values(/^month >= \{p\d+:UInt32\}$/, conditions, statement)
    const [end] = values(/^month < \{p\d+:UInt32\}$/, conditions, statement)
    return { startAt: monthOf(first!), endAt: monthOf(end!) - 1 }
  },
}

const lookUps: Readonly<Record<string, RegExp>> = { event_id: /^event_id = \{p\d+:UUID\}$/ }

/** Whether the conditions include every column in one of the table's look-up keys. */
function statesKey({ lookUp }: Table, conditions: readonly string[]): boolean {
  const keys = Object.values(lookUp ?? {}).map((column) => compile(column).query)
  return keys.length > 0 && keys.every((key) => conditions.some((condition) => lookUps[key]?.test(condition)))
}

/**
 * Rows of `seals`, and counts compared with them, cover whole days without filters. They only decide whether chains
 * answer, and do not appear in any answer.
 */
const isNote = ({ table, conditions }: ReadOfTable, { query }: Compiled): boolean =>
  table === seals.name ||
  conditions.some((one) => one.startsWith('toDate32[hour] ')) ||
  (table === dailyShapes.name && / as (holds|isSure|areSure)\b/.test(query))

const dayOf = (moment: number) => Math.floor(moment / 86_400_000)

/** Whether the days of seals are within the range, or reach up to the current day if many ranges share them. */
function areNoted({ startAt, endAt }: Period, own: readonly Period[], { query }: Compiled): boolean {
  if (!query.includes(`from ${seals.name}`))
    return own.some((one) => dayOf(one.startAt) <= dayOf(startAt) && dayOf(endAt) <= dayOf(one.endAt))
  const most = (one: Period) => Math.max(64, 2 * (dayOf(closedBefore) - dayOf(one.startAt)))
  const days = dayOf(endAt) - dayOf(startAt) + 1
  return endAt === closedBefore - 1 && own.some((one) => startAt <= one.startAt && days <= most(one))
}

const everyTable = [...tables, seals]

/** The number of tables in a statement, at any depth. Each was added by `rows` or `one`. */
const tableParts = (body: Fragment): number =>
  body.parts.reduce((sum, part) => {
    if (part instanceof Fragment) return sum + tableParts(part)
    return sum + Number(!(part instanceof Bound) && everyTable.some(({ name }) => name === part.name))
  }, 0)

describe('every statement', () => {
  it.each(named)(
    'limits all reads of tables to the website, and to the range or to a whole key of the table: %s',
    (_, report) => {
      forAll(report, (question) => {
        for (const statement of compiled(question)) {
          const reads = readsIn(statement)
          expect(reads.length).toBeGreaterThan(0)
          for (const [place, read] of reads.entries()) {
            const { table: name, conditions } = read
            const ids = conditions.filter((one) => /^website_id = \{p\d+:UUID\}$/.test(one))
            expect(ids.map((condition) => boundIn(condition, statement))).toEqual([question.websiteId.toLowerCase()])
            const table = everyTable.find((one) => one.name === name)!
            if (statesKey(table, conditions)) continue
            const isOfNotes = isNote(read, statement)
            const whole = ends[isOfNotes ? 'day' : table.grain](conditions, statement)
            if (table === sessionData) {
              expect(whole).toEqual(always)
              continue
            }
            const own = ownPeriods(question)
            if (isOfNotes) {
              expect(areNoted(whole, own, statement)).toBe(true)
              continue
            }
            const allowed =
              place === 0 || reads[0]!.table === sessionData.name ? own : [...own, ...cohortPeriods(question)]
            if (table.grain === 'moment') expect(allowed).toContainEqual(whole)
            else expect(own.some((one) => one.startAt <= whole.startAt && whole.endAt <= one.endAt)).toBe(true)
          }
        }
      })
    },
  )

  it.each(named)(
    'reads tables only through rows and one, without joins or an or between conditions: %s',
    (_, report) => {
      forAll(report, (question) => {
        for (const body of bodiesOf(question)) {
          const statement = compile(body)
          const { query } = statement
          const reads = readsIn(statement)
          expect(reads).toHaveLength(tableParts(body))
          expect(reads.flatMap(({ conditions }) => conditions.filter((one) => /\bor\b/.test(one)))).toEqual([])
          expect(query).not.toMatch(/(?<!array )\bjoin\s+\w|\bunion\b(?! all\b)|\bin\s+\w|\bfrom\s+\w+\s*[(.,]/)
          // The rules recognise only lower-case keywords and unquoted names. A comma would be a join.
          expect(query).not.toMatch(/\b(SELECT|FROM|JOIN|UNION|AS|IN|WHERE|OR|AND)\b|["`]/)
          expect(outlineOf(statement)).not.toMatch(/\bfrom (…|\w+)( as \w+)?\s*,/)
        }
      })
    },
  )

  it.each(named)('is a single select that changes nothing: %s', (_, report) => {
    forAll(report, (question) => {
      for (const { query } of compiled(question)) {
        expect(query).toMatch(/^select\s/)
        expect(query.replaceAll("';'", "''")).not.toMatch(
          /;|--|\/\*|\b(insert|alter|create|drop|system|outfile|format)\b/,
        )
      }
    })
  })

  it.each(named)(
    'gives the same answer on two shards, as every IN is GLOBAL and nothing depends on the shard: %s',
    (_, report) => {
      forAll(report, (question) => {
        for (const { query } of compiled(question)) {
          const sets = [...query.matchAll(/(\w+)(?: not)? in \(+\s*select\b/g)].map(([, before]) => before)
          expect(sets.filter((before) => before !== 'global')).toEqual([])
          // Each shard has its own seals.
          expect(query.replace(/ \* 4096 \+ shardNum\(\)|shardNum\(\) as of_shard/g, '')).not.toMatch(
            /\b(shardNum|shardCount|hostName|_shard_num|_part\w*|rowNumberIn\w+|distributed_\w+)\b/,
          )
        }
      })
    },
  )

  it.each(named)('consists only of literals in src: %s', (_, report) => {
    forAll(report, (question) => {
      const texts = bodiesOf(question).flatMap((body) => piecesOf(body).map((piece) => piece.texts))
      expect(texts.length).toBeGreaterThan(0)
      expect(texts.filter((own) => !('raw' in own && Object.isFrozen(own)))).toEqual([])
      const raw = texts.flatMap((own) => ('raw' in own ? (own as TemplateStringsArray).raw : own))
      expect(raw.filter((text) => !isInSource(text))).toEqual([])
    })
  })

  it.each(named)(
    'has no alias with the name of a column that a filter reads, so that no name is ambiguous: %s',
    (_, report) => {
      forAll(report, (question) => {
        const aliases = compiled(question).flatMap(({ query }) =>
          [...query.matchAll(/\bas (\w+)/g)].map(([, name]) => name),
        )
        expect(aliases.filter((name) => filtered.has(name!))).toEqual([])
      })
    },
  )

  it.each(named)('sorts each paged list in a total order: %s', (_, report) => {
    forAll(report, (question) => {
      for (const statement of compiled(question)) {
        const own = outlineOf(statement)
        if (/ order by /.test(own)) expect(unorderedKeys(own)).toEqual([])
        else expect(own).not.toMatch(/ offset /)
      }
    })
  })
})

const filtered = new Set([
  ...Object.values(fieldColumns).map((column) => compile(column).query),
  ...['website_id', 'created_at', 'event_id', 'session_id', 'visit_id', 'event_type', 'day', 'month'],
])

const source = ['query', 'endpoints']
  .flatMap((folder) => {
    const path = new URL(`../../src/${folder}/`, import.meta.url)
    const files = readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    return files.map((file) => readFileSync(new URL(file, path), 'utf8'))
  })
  .join('\n')

/** The texts that were already found in the source. */
const inSource = new Set<string>()

function isInSource(text: string): boolean {
  if (!inSource.has(text) && source.includes(text)) inSource.add(text)
  return inSource.has(text)
}

/** The columns that are missing for a list's order to be total: its group columns, or the event id. */
function unorderedKeys(own: string): string[] {
  const [, grouped] = / group by (.*?)(?: having .*?)? order by /.exec(own) ?? []
  const [, order = ''] = / order by (.*?)(?= limit |$)/.exec(own) ?? []
  const ordered = order.split(', ').map((one) => one.replace(/ desc$/, ''))
  // With grouping sets, rows contain their list and name.
  const keys = grouped?.startsWith('grouping sets ') ? ['list', 'name'] : (grouped?.split(', ') ?? ['event_id'])
  const isOrdered = (key: string): boolean => {
    const names = [...own.split(' from ')[0]!.matchAll(/([^ ]+) as (\w+)/g)].filter(([, value]) => value === key)
    return ordered.includes(key) || (names.length > 0 && names.every(([, , name]) => ordered.includes(name!)))
  }
  return keys.filter((key) => !isOrdered(key))
}

/** A share that is locked to one filter, for a website with a reset. */
const locked = (websiteId: string): Scope => ({
  ...{ websiteId, since: 1_760_500_000_123, only: [lockedFilters.filters], hidesDistinctIds: true },
  ...{ hidesSessionProperties: true, closedBefore },
})

const lockedFilters = readLocked({ os: 'LOCKED' }).data!

/** A range of three years by day, because there would be too many minutes. */
const longEnds: Readonly<Record<string, string>> = { startAt: '1700000000000', endAt: '1790000000000', unit: 'day' }

/** The same questions over three years, and with very high page numbers. */
function longer(question: Question): Question[] {
  const long = { ...question, query: question.query.map(([name, value]) => [name, longEnds[name] ?? value] as const) }
  const isPaged = 'page' in question.report.query.parameters
  const hasPage = question.query.some(([name]) => ['page', 'pageSize', 'cursor'].includes(name))
  const deep = { ...long, query: [...long.query, ['page', '30'] as const, ['pageSize', '100'] as const] }
  return isPaged && !hasPage ? [long, deep] : [long]
}

/**
 * Some of the requests, with their longer forms: all forms in long runs, otherwise one per request, depending on the
 * report.
 */
const lengthened = (report: AnyReport): Question[] =>
  someShapes(report).flatMap((question, place) => {
    const ways = [question, ...longer(question)]
    return isLong ? ways : [ways[(place + reports.indexOf(report)) % ways.length]!]
  })

/** The columns that locked statements may select from value rows: hashes, texts, and the row count. */
const ofTexts = [
  ...['reinterpretAsString(sipHash64(value))', 'value as one'],
  'intHash64(toUInt64(seal) * 4096 + shardNum()) as mark, sum(views) as held',
]

describe('every read', () => {
  it.each(named)('begins at the reset, and applies the locked filters: %s', (_, report) => {
    let reads = 0
    for (const question of lengthened(report)) {
      const input = read(question) as ReturnType<typeof inputOf> & { filters?: Filters }
      // Property look-ups lack the locked filters, because the read around them applies these filters.
      if (input.filters && input.filters.properties.length > 0) continue
      const scope = locked(input.websiteId)
      const plans = plansOf((known) => report.plan(input as never, { ...scope, ...(known && { known }) }))
      for (const body of Object.values(sentByAll(plans))) {
        const statement = compile(body)
        const all = readsIn(statement)
        for (const read of all) {
          const { table: name, conditions } = read
          const table = everyTable.find((one) => one.name === name)!
          if (table.lookUp || isNote(read, statement)) continue
          reads += 1
          // Value rows have no other columns. They return the hashes that match, or the text for a hash.
          if (name === chainedValues.name) {
            const selected = statement.query.matchAll(/select ((?:(?!select\b).)*)\sfrom chained_values /gs)
            expect([...selected].map(([, one]) => one!).filter((one) => !ofTexts.includes(one))).toEqual([])
            if (statement.query.includes('value as one')) expect(statement.query).toContain('by key having seen > 0')
            continue
          }
          const locks = conditions.filter((condition) => boundIn(condition, statement) === 'LOCKED')
          // Locked filters apply to events, which determine the shown sessions.
          const expected = table === sessionData ? 0 : 1
          expect([question.query, name, locks.length]).toEqual([question.query, name, expected])
          if (table.grain !== 'moment' && table.grain !== 'hour') continue
          const starts = values(/^(created_at|hour) >= \{p\d+:Int64\}$/, conditions, statement)
          expect(Math.min(...starts)).toBeGreaterThanOrEqual(1_760_500_000_123)
        }
      }
    }
    expect(reads).toBeGreaterThan(0)
  })
})

describe('values, and a website’s id', () => {
  const elsewhere = '0f0e0d0c-0b0a-0908-0706-050403020100'
  const texts = (statements: readonly Compiled[]) => statements.map(({ query }) => query)
  const values = (statements: readonly Compiled[]) => JSON.stringify(statements.map((one) => one.query_params))

  it.each(named)(
    'are sent as unchanged parameters, and never change the statement’s text, whatever they are: %s',
    (_, report) => {
      const turn = reports.indexOf(report)
      for (const { place, text, question } of inTurn(hostileShapes(report, turn, requestsOf), seed + turn, 2)) {
        const usual = shapes.get(report)![place]!
        const sent = compiled({ ...question, websiteId: elsewhere })
        expect(texts(sent)).toEqual(texts(compiled(usual)))
        const moved = values(compiled(usual)).replaceAll(usual.websiteId, elsewhere)
        expect(values(sent)).toBe(moved.replaceAll('PLACE', () => JSON.stringify(text).slice(1, -1)))
      }
    },
  )

  it.each(isLong ? named : [])('are also sent as parameters in random requests: %s', (_, report) => {
    forAll(report, (question) => {
      expect(texts(compiled({ ...question, websiteId: elsewhere }))).toEqual(texts(compiled(question)))
    })
  })
})
