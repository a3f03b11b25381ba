import { expect } from 'vitest'
import * as z from 'zod'
import { run } from '../../src/clickhouse/run.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { SelectedEvents } from '../../src/query/language/scope.ts'
import { all, commaList, sql } from '../../src/query/language/sql.ts'
import { select } from '../../src/query/language/statement.ts'
import { passing, rows as rowsOf } from '../../src/query/tables/rows.ts'
import type { Table } from '../../src/query/tables/tables.ts'
import { noFilters } from '../../src/request/filters.ts'
import { answerOf, oracleName } from '../facts/oracle-of.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow, Property } from '../oracle/model.ts'
import { operator } from './callers.ts'
import { forEach } from './concurrently.ts'
import { isLong } from './long.ts'
import { inputOf } from './questions.ts'
import { eventId, eventName, events, propertyName, rangeReports, reportOf } from './reports.ts'
import { parametersOf, told } from './requests.ts'
import { wholeWebsite } from './scope.ts'
import { websiteWith } from './website.ts'
import { sharedRoute } from './weir.ts'

/** A query's parameters in the order sent, or as a text that is not percent-encoded. */
export type Sent = string | readonly (readonly [string, string])[]

function pairsOf(query: Sent): [string, string][] {
  if (typeof query !== 'string') return query.map(([name, value]) => [name, value])
  const cut = (one: string): [string, string] => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]
  return query === '' ? [] : query.split('&').map(cut)
}

/** The oracle's answer for these events. */
export const computed = (rows: readonly IngestRow[], report: AnyReport, query: Sent): unknown =>
  answerOf([...rows], {
    endpoint: oracleName(report),
    websiteId: rows[0]?.website_id ?? id(0),
    eventId,
    query: parametersOf(report, pairsOf(query)).map(([name, value]): [string, string] => [name, value]),
  }).body

/** The Worker's answer to a report with these parameters in addition to the required ones. */
export async function asked(websiteId: string, report: AnyReport, query: Sent, headers = operator): Promise<unknown> {
  const { status, body } = await told(websiteId, report, headers, pairsOf(query))
  return status === 200 ? body : { status, body }
}

/** A website and its events. */
export interface World {
  readonly websiteId: string
  readonly rows: readonly IngestRow[]
}

export async function worldOf(...rows: readonly IngestRow[]): Promise<World> {
  const websiteId = await websiteWith(...rows)
  return { websiteId, rows: rows.map((row) => ({ ...row, website_id: websiteId })) }
}

/** Events that are visible to every report. Each has its own visit, and a property whose value identifies the event. */
export const visible = (...changes: readonly (Partial<IngestRow> & { has?: Property[] })[]): IngestRow[] =>
  changes.map(({ has = [], ...change }, index) =>
    event(
      { event_id: id(index), session_id: id(100 + index), visit_id: id(200 + index), event_name: eventName, ...change },
      [string(propertyName, `row ${index}`), ...has],
    ),
  )

/** For each table whose filters compare strings, one report that reads it. */
const reportPerTable = ['events', 'event-data', 'event-data/fields'].map((endpoint) => reportOf({ endpoint }))

/** A number for each case: the sum of its characters, without the ids, which differ from run to run. */
function turnOf(query: Sent, places: readonly number[]): number {
  const text = JSON.stringify([query, places]).replaceAll(/[0-9a-f-]{36}/gi, '')
  return [...text].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0)
}

/** All reports in `npm run test:long`, or one in turn in `npm test`. */
const inTurn = (all: readonly AnyReport[], turn: number): readonly AnyReport[] =>
  isLong ? all : [all[turn % all.length]!]

export const tableInTurn = (turn: number): readonly AnyReport[] => inTurn(reportPerTable, turn)

/** For each query, the indexes of the events in this table that pass its filters. One statement finds them all. */
export async function passed({ websiteId, rows }: World, table: Table, queries: readonly Sent[]): Promise<number[][]> {
  const scope = wholeWebsite(websiteId)
  const inputs = queries.map(
    (query) =>
      inputOf({ report: events, websiteId, query: parametersOf(events, pairsOf(query)) }) as unknown as SelectedEvents,
  )
  const passes = inputs.map((input) => sql`toUInt8(${all(...passing(table, { ...input, scope }, input.filters))})`)
  const Row = () => z.object({ id: z.string(), passes: z.array(z.number()).length(queries.length) })
  const selection = { scope, period: inputs[0]!.period, filters: noFilters }
  const statement = select(Row)`
    select toString(event_id) as id, [${commaList(passes)}] as passes ${rowsOf(table, selection)}`
  const found = (await run(sharedRoute, statement, new AbortController().signal)).rows
  return queries.map((_, query) =>
    rows.flatMap(({ event_id }, place) =>
      found.some((row) => row.id === event_id && row.passes[query]) ? [place] : [],
    ),
  )
}

/** Asserts that reports over a range with these parameters return exactly the events at these indexes. */
export async function keeps(
  { websiteId, rows }: World,
  query: Sent,
  places: readonly number[],
  reports: readonly AnyReport[] = inTurn(rangeReports, turnOf(query, places)),
): Promise<void> {
  const kept = places.map((place) => rows[place]!)
  await forEach(reports, async (report) => {
    expect({ report: report.name, query, body: await asked(websiteId, report, query) }).toStrictEqual({
      ...{ report: report.name, query, body: computed(kept, report, []) },
    })
  })
}
