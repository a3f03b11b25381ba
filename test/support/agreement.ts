import { expect } from 'vitest'
import { answerOf } from '../facts/oracle-of.ts'
import { event, id, string } from '../oracle/fixtures.ts'
import type { IngestRow, Property, Report } from '../oracle/model.ts'
import { forEach } from './concurrently.ts'
import { isLong } from './long.ts'
import { eventId, eventName, propertyName, type ReportUnderTest, rangeReports, reportPath } from './reports.ts'
import { websiteWith } from './website.ts'
import { get } from './weir.ts'

/** The parameters of a query, in the order in which they are sent. */
export type Sent = readonly (readonly [string, string])[]

export const sent = (query: object): [string, string][] =>
  Object.entries(query).map(([name, value]) => [name, String(value)])

/** The oracle's answer for these events. */
export const computed = (rows: readonly IngestRow[], report: ReportUnderTest, query: Sent): unknown =>
  answerOf([...rows], {
    endpoint: report.name as Report,
    websiteId: rows[0]?.website_id ?? id(0),
    eventId,
    query: [...sent(report.query), ...query.map(([name, value]): [string, string] => [name, value])],
  }).body

/** The Worker's answer to a report with these parameters, added to the required ones. */
export async function asked(websiteId: string, report: ReportUnderTest, query: Sent): Promise<unknown> {
  const { status, body } = await get(reportPath(websiteId, report), [...sent(report.query), ...query])
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

/** Events that every report sees. Each has its own visit, and a property whose value identifies it. */
export const visible = (...changes: readonly (Partial<IngestRow> & { has?: Property[] })[]): IngestRow[] =>
  changes.map(({ has = [], ...change }, index) =>
    event(
      { event_id: id(index), session_id: id(100 + index), visit_id: id(200 + index), event_name: eventName, ...change },
      [string(propertyName, `row ${index}`), ...has],
    ),
  )

/** One report for each table in which texts are compared. */
export const reportPerTable = rangeReports.filter(({ name }) =>
  ['events', 'event-data', 'event-data/fields'].includes(name),
)

const others = rangeReports.filter((report) => !reportPerTable.includes(report))

/** The sum of the letters of a case, without the ids that differ from run to run. */
function turnOf(query: Sent, places: readonly number[]): number {
  const text = JSON.stringify([query, places]).replaceAll(/[0-9a-f-]{36}/gi, '')
  return [...text].reduce((sum, letter) => sum + letter.codePointAt(0)!, 0)
}

const one = (list: readonly ReportUnderTest[], turn: number): ReportUnderTest => list[turn % list.length]!

/** All reports in `npm run test:long`; in `npm test` one of a table and one of the others. */
export const reportsInTurn = (turn: number): readonly ReportUnderTest[] =>
  isLong ? rangeReports : [one(reportPerTable, turn), one(others, turn)]

/** The reports of all tables in `npm run test:long`; in `npm test` that of one table. */
export const tableInTurn = (turn: number): readonly ReportUnderTest[] =>
  isLong ? reportPerTable : [one(reportPerTable, turn)]

/** Asserts that in reports over a range these parameters keep exactly the events at these indexes. */
export async function keeps(
  { websiteId, rows }: World,
  query: Sent,
  places: readonly number[],
  reports: readonly ReportUnderTest[] = reportsInTurn(turnOf(query, places)),
): Promise<void> {
  const kept = places.map((place) => rows[place]!)
  await forEach(reports, async (report) => {
    expect({ report: report.name, query, body: await asked(websiteId, report, query) }).toStrictEqual({
      report: report.name,
      query,
      body: computed(kept, report, []),
    })
  })
}
