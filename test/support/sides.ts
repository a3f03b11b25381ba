import { randomUUID } from 'node:crypto'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import type { IngestRow } from '../oracle/model.ts'
import { type Headers, operator } from './callers.ts'
import { goodRequestOfNobody } from './good-requests.ts'
import { eventId, reports } from './reports.ts'
import { pathTo, savedFor } from './requests.ts'
import { columnTime } from './website.ts'
import { ingest, insert, pathOf, type Reply, send } from './weir.ts'

/** A report's example as two sides: its own events, and copies of them that some rule must hide. */

/** An event or identify call as writers insert it, but without its website. */
type Row = Readonly<Record<string, unknown>>

interface Rows {
  readonly events: readonly Row[]
  readonly calls: readonly Row[]
}

export interface Sides {
  /** The example's events and identify calls. */
  readonly kept: Rows
  /** Copies of them, some in the same session and some in a different one. */
  readonly others: Rows
  /** The time of the first kept row, in milliseconds. */
  readonly start: number
}

const timeOf = ({ created_at }: Row, now: number): number =>
  created_at === undefined ? now - 60_000 : Date.parse(`${created_at}Z`.replace(' ', 'T'))

/**
 * An example's sides. `changed` sets columns in the kept rows, and `different` sets columns in the others. With
 * `isEarlier`, all other rows are earlier than all kept rows.
 */
export function sidesOf(
  { example, path }: AnyReport,
  { isEarlier = false, changed = {}, different = {} }: { isEarlier?: boolean; changed?: Row; different?: Row },
): Sides {
  const now = Date.now()
  const [events, calls] = [example.events, example.calls ?? []]
  const times = [...events, ...calls].map((row) => timeOf(row, now))
  const [start, end] = [Math.min(...times), Math.max(...times)]
  // The others are a second later, so that they also change date ranges.
  const shift = isEarlier ? end - start + 1 : -1000
  const at = (row: Row, earlier: number) => ({ ...row, created_at: columnTime(timeOf(row, now) - earlier) })
  // A report about a single event cannot notice events with other ids.
  if (path.includes(':eventId')) {
    const others = { events: events.map((row) => ({ ...at(row, 0), ...different })), calls: [] }
    return { kept: { events: [], calls: [] }, others, start: start + 1 }
  }
  const other = (row: Row) => ({ ...at(row, shift), ...otherFigures(row) })
  // Copies of one session's rows share a different session.
  const strangers = new Map<unknown, string>()
  const strange = ({ session_id, visit_id }: Row): Row => {
    const known = (id: unknown) => strangers.get(id) ?? strangers.set(id, randomUUID()).get(id)!
    return { session_id: known(session_id), ...(visit_id !== undefined && { visit_id: known(visit_id) }) }
  }
  const copied = (row: Row): Row => ({ ...other(row), ...different, event_id: randomUUID() })
  // Filters do not change the length of a visit, but a reset shortens it.
  const again = (row: Row): Row => (isEarlier ? copied(row) : { ...copied(row), visit_id: strange(row).visit_id })
  // A journey consists of two steps.
  const next = (row: Row): Row[] =>
    isEarlier ? [] : [{ ...copied(row), ...strange(row), url_path: `${row.url_path ?? ''}/next` }]
  // Filters select sessions, so an identify call is hidden along with its session, or by a reset.
  const calledAgain = calls.flatMap((row) => [{ ...other(row), ...strange(row) }, ...(isEarlier ? [other(row)] : [])])
  return {
    kept: { events: events.map((row) => ({ ...at(row, 0), ...changed })), calls },
    others: {
      events: events.flatMap((row) => [again(row), { ...copied(row), ...strange(row) }, ...next(row)]),
      calls: calledAgain,
    },
    start,
  }
}

const vitals = ['lcp', 'inp', 'cls', 'fcp', 'ttfb']

/** Doubles the web vitals and adds a property to an identify call, because equal figures would not affect a mean. */
function otherFigures(row: Row): Row {
  const doubled = Object.entries(row).filter(([name, value]) => vitals.includes(name) && typeof value === 'number')
  const more = { key: 'hidden', data_type: 1, string_value: 'x', number_value: null, date_value: null }
  const added = Object.entries(more).map(([name, value]) => {
    const column = `properties.${name}`
    return [column, [...((row[column] ?? []) as unknown[]), value]]
  })
  const isCall = !('event_id' in row)
  return Object.fromEntries([...doubled.map(([name, value]) => [name, 2 * Number(value)]), ...(isCall ? added : [])])
}

/** Stores a website's rows. Rows that are stored at the same time share one insert. */
export async function store(website_id: string, ...sides: readonly Rows[]): Promise<void> {
  const owned = (rows: readonly Row[]) => rows.map((row) => ({ ...row, website_id }))
  const [events, calls] = [sides.flatMap((one) => one.events), sides.flatMap((one) => one.calls)]
  await Promise.all([
    ...(events.length > 0 ? [ingest(owned(events) as Partial<IngestRow>[])] : []),
    ...(calls.length > 0 ? [insert('ingest_session_data', owned(calls))] : []),
  ])
}

/** Additions to the example request, which are parameters for a GET or filters in the body of a POST. */
export interface More {
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Headers
}

/** A report's answer to its example. */
export async function askExample(report: AnyReport, websiteId: string, more: More = {}): Promise<Reply> {
  const { query = {}, headers = operator } = more
  const ids = { eventId, ...report.example.ids, ...(await savedIn(report, websiteId)) }
  const { body } = goodRequestOfNobody(report, { websiteId })
  if (body === undefined) return send(pathTo(report, { websiteId, ...ids }, query), { headers })
  const asked = { ...(body as object), filters: query }
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
  return send(pathOf(report.path), { ...init, body: JSON.stringify(asked) })
}

const savedIds = new Map<string, Promise<Readonly<Record<string, string>>>>()

/** The saved report for the path, one per report and website. */
function savedIn(report: AnyReport, websiteId: string): Promise<Readonly<Record<string, string>>> {
  const key = `${report.name} ${websiteId}`
  const made = savedIds.get(key) ?? savedFor(report, websiteId)
  savedIds.set(key, made)
  return made
}

/** The response without the parts that differ between websites or from moment to moment. */
export function comparable({ status, headers, body }: Reply, websiteId: string): unknown {
  const { timestamp: _, ...rest } = { timestamp: 0, ...(Array.isArray(body) ? { list: body } : body) }
  const shown = status < 400 ? rest : undefined
  const text = JSON.stringify({ status, total: headers.get('x-total-count'), body: shown })
  return JSON.parse(text.replaceAll(websiteId, 'the website'))
}

/** The reports that accept filters. */
export const filteredReports = reports.filter(
  (report) => 'filters' in (report.query.schema.parse(report.example.query) as object),
)
