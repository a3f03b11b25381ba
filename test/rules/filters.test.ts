import { describe, expect, it, vi } from 'vitest'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { Bound, compile, Fragment, Read } from '../../src/query/language/sql.ts'
import { sessionData } from '../../src/query/tables/tables.ts'
import { fieldNames } from '../../src/request/fields.ts'
import { inTurn } from '../support/long.ts'
import { memoised } from '../support/memoised.ts'
import { inputOf, planOf, type Question } from '../support/questions.ts'
import { reports } from '../support/reports.ts'
import { plansOf } from '../support/scope.ts'
import { seed } from '../support/seed.ts'
import { sentByAll } from '../support/statements.ts'

/** Tests that a report applies every filter: each of its statements binds the filter's value. No database is needed. */

// Reports about the current time return that time.
vi.setSystemTime(Date.now())

const websiteId = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001'
const savedId = '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a009'

type Saved = NonNullable<Question['saved']>[number]

interface Filter {
  readonly query: Question['query']
  readonly saved?: readonly Saved[]
  /** The values that a statement binds if it applies the filter, or undefined if the filter has no value. */
  readonly value?: unknown
}

const fieldValue = (field: string): string => `the ${field}`

const ofField = (field: string): Filter => ({ query: [[field, fieldValue(field)]], value: fieldValue(field) })

const saved = (type: Saved['type'], parameters: Saved['parameters']): Filter => ({
  query: [[type, savedId]],
  saved: [{ id: savedId, type, parameters }],
  value: `the ${type}`,
})

const fields: Readonly<Record<string, Filter>> = Object.fromEntries(
  fieldNames.filter((name) => name !== 'event').map((field) => [field, ofField(field)]),
)

/** Filters whose value must appear in every read of events. */
const plain: Readonly<Record<string, Filter>> = {
  ...fields,
  segment: saved('segment', { filters: [{ name: 'os', operator: 'eq', value: 'the segment' }] }),
}

/** Filters on other events of a visit or session, for which one look-up in a statement is sufficient. */
const others: Readonly<Record<string, Filter>> = {
  event: ofField('event'),
  eventType: { query: [['eventType', 'neq.3,4']], value: [3, 4] },
  epf: { query: [['epf0', '1.eq.plan.the epf']], value: 'the epf' },
  spf: { query: [['spf0', '1.eq.plan.the spf']], value: 'the spf' },
  cohort: saved('cohort', { action: { type: 'path', value: 'the cohort' }, dateRange: '30day' }),
  excludeBounce: { query: [['excludeBounce', 'true']] },
}

/** Three years by day, so that tables of counts answer. */
const longRange: Readonly<Record<string, string>> = { startAt: '1700000000000', endAt: '1790000000000', unit: 'day' }

type Asked = Readonly<Record<string, string>>

function longer({ query, example }: AnyReport): Asked {
  const isTaken = (name: string) => name in example.query || (name === 'unit' && !query.ignored.has(name))
  return Object.fromEntries(Object.entries(longRange).filter(([name]) => isTaken(name)))
}

/** The example with these filters and a different range. */
const asking = (report: AnyReport, filters: readonly Filter[], range: Asked = {}): Question => ({
  ...{ report, websiteId, eventId: websiteId, sessionId: websiteId },
  query: [...Object.entries({ ...report.example.query, ...range }), ...filters.flatMap(({ query }) => query)],
  saved: filters.flatMap(({ saved = [] }) => saved),
})

const statementsOf = (question: Question) => sentByAll(plansOf((known) => planOf(question, known)))

/** The values in a fragment as JSON, with or without the values in its reads. */
function valuesIn(fragment: Fragment, isWhole = true, found = new Set<string>()): Set<string> {
  for (const part of fragment.parts) {
    if (part instanceof Bound)
      for (const value of [part.value, ...[part.value].flat()]) found.add(JSON.stringify(value))
    if (part instanceof Fragment && (isWhole || !(part instanceof Read))) valuesIn(part, isWhole, found)
  }
  return found
}

const allIn = memoised((fragment: Fragment) => valuesIn(fragment))
const outsideOfReads = memoised((fragment: Fragment) => valuesIn(fragment, false))

/** The reads in a fragment that are not inside another read. */
const outerReads = (fragment: Fragment): Read[] =>
  fragment.parts.flatMap((part) => (part instanceof Read ? [part] : part instanceof Fragment ? outerReads(part) : []))

const binds = (fragment: Fragment, { value }: Filter): boolean => allIn(fragment).has(JSON.stringify(value))

/** The reads that lack the filter, unless it is applied once around all of them. Identify calls have no fields. */
function unfiltered(statement: Fragment, filter: Filter): string[] {
  if (outsideOfReads(statement).has(JSON.stringify(filter.value))) return []
  const reads = outerReads(statement).filter((read) => read.table !== sessionData.name && !isHinted(read))
  return reads.filter((read) => !binds(read, filter)).map(({ table }) => table)
}

/** Whether a read uses an index hint, which finds the texts for hashes in other rows. */
const isHinted = (read: Read): boolean => compile(read).query.includes('indexHint(')

/** Rows of `seals`, and the counts that verify them, do not appear in an answer. */
const isOfNotes = (part: string): boolean => /(^|\.)(wants|check)\./.test(part)

const filtered = reports.filter((report) => 'filters' in inputOf(asking(report, [])))

/** Where one of these combined filters is ignored: the filter, the statement, and possibly the table. */
function ignoring(report: AnyReport, given: readonly [name: string, filter: Filter][], range: Asked): string[] {
  const filters = given.map(([, filter]) => filter)
  const bare = statementsOf(asking(report, [], range))
  return Object.entries(statementsOf(asking(report, filters, range))).flatMap(([part, statement]) =>
    given.flatMap(([name, filter]) => {
      if (filter.value === undefined) {
        const changes = !bare[part] || compile(bare[part]).query !== compile(statement).query
        return changes ? [] : [`${name} by ${part}`]
      }
      if (isOfNotes(part)) return []
      if (!binds(statement, filter)) return [`${name} by ${part}`]
      return name in plain ? unfiltered(statement, filter).map((table) => `${name} by ${part} from ${table}`) : []
    }),
  )
}

describe('a filter', () => {
  it.each(filtered.map((report) => [report.name, report] as const))(
    'applies to every statement, over both a short range and a long one: %s',
    (_, report) => {
      const alone = Object.entries({ ...plain, ...others })
      expect([
        ...ignoring(report, Object.entries(fields), {}),
        ...alone.filter(([name]) => !(name in fields)).flatMap((one) => ignoring(report, [one], {})),
        // In `npm test`, each report gets a changing third of the filters alone over the long range.
        ...inTurn(alone, seed + reports.indexOf(report), 3).flatMap((one) => ignoring(report, [one], longer(report))),
      ]).toEqual([])
    },
  )
})
