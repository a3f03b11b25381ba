import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Misuse } from '../told/misuse.ts'
import { eventOf } from './event-rows.ts'
import { identityOf, readExport } from './export-file.ts'
import { takenSpan } from './made-rows.ts'
import type { Count, Counted, FirstSessions, Kind, Section, Source, SourcePage, SourceRow, Span } from './source.ts'
import { Spill } from './spill.ts'
import { firstSessionsOf } from './split-visits.ts'
import { columnTime, instantOf } from './texts.ts'

/** The compressed size of a bucket, in bytes, so that its events and properties fit into memory. */
const bucketBytes = 2_000_000
const mostBuckets = 512

/** The number of rows in a page. */
const usualPage = 2500

/** The label of rows whose time Weir does not accept. */
const otherTimes = 'other times'

/** A row, with the rows of its properties; only events have properties. */
interface SourceRecord {
  readonly row: SourceRow
  readonly properties: readonly SourceRow[]
}

/** The rows of an export, sorted by kind and month, with the number of rows of each website. */
interface Sorted {
  readonly spill: Spill
  readonly counts: Map<string, Map<string, number>>
}

/** An export of the hosted service: a ZIP of unordered CSV, first sorted by month into a temporary folder. */
export async function exportSource(
  path: string,
  websiteIds: readonly string[],
  mostRows: number,
  tell: (line: string) => void,
): Promise<Source> {
  if (!existsSync(path)) throw new Misuse(`There is no file ${path}.`)
  const identity = await identityOf(path)
  const spill = new Spill(join(tmpdir(), `weir-${identity.replace(' ', '-')}`))
  try {
    const sorted = await sortedRows(path, spill, tell)
    return sourceOf(identity, sorted, idsFor(sorted, websiteIds, tell), mostRows)
  } catch (error) {
    spill.close()
    throw error
  }
}

/** Sorts the rows: first into buckets by the hash of the event's id, then each bucket into months. */
async function sortedRows(path: string, spill: Spill, tell: (line: string) => void): Promise<Sorted> {
  const sorted: Sorted = { spill, counts: new Map() }
  const buckets = Math.min(mostBuckets, Math.ceil(statSync(path).size / bucketBytes))
  const span = takenSpan(Date.now())
  await readExport(path, {
    tell,
    take(file, row) {
      if (file === 'session_data.csv') return addTo(sorted, 'sessionData', { row, properties: [] }, span)
      const bucket = hashOf(row.event_id ?? '').readUInt16BE() % buckets
      return spill.add(`${file} ${bucket}`, row)
    },
  })
  for (let bucket = 0; bucket < buckets; bucket++) {
    const properties = new Map<string, SourceRow[]>()
    for await (const row of spill.values<SourceRow>(`event_data.csv ${bucket}`)) {
      const key = keyOf(row)
      properties.set(key, [...(properties.get(key) ?? []), row])
    }
    for await (const row of spill.values<SourceRow>(`website_event.csv ${bucket}`)) {
      // Properties may have no website.
      const own = properties.get(keyOf(row)) ?? properties.get(keyOf({ ...row, website_id: null })) ?? []
      addTo(sorted, 'events', { row, properties: own.toSorted(byTime) }, span)
    }
    for (const file of ['event_data.csv', 'website_event.csv']) spill.drop(`${file} ${bucket}`)
  }
  return sorted
}

/** Two websites may have events with one id. */
const keyOf = ({ website_id, event_id }: SourceRow): string => `${website_id ?? ''} ${event_id ?? ''}`

const byTime = (one: SourceRow, other: SourceRow): number =>
  (one.created_at ?? '') < (other.created_at ?? '') ? -1 : Number(one.created_at !== other.created_at)

const hashOf = (text: string): Buffer => createHash('md5').update(text).digest()

const fileOf = (kind: Kind, month: string): string => `${kind} ${month}`

function addTo({ spill, counts }: Sorted, kind: Kind, record: SourceRecord, span: Span): void {
  const time = columnTime(record.row.created_at)
  const isTaken = time !== undefined && instantOf(time) >= span.from && instantOf(time) < span.until
  const file = fileOf(kind, isTaken ? time.slice(0, 7) : otherTimes)
  const websiteId = record.row.website_id ?? ''
  const own = counts.get(file) ?? new Map<string, number>()
  counts.set(file, own.set(websiteId, (own.get(websiteId) ?? 0) + 1))
  spill.add(file, record)
}

/** Maps each target website to its website in the export. */
function idsFor(
  { counts }: Sorted,
  wanted: readonly string[],
  tell: (line: string) => void,
): ReadonlyMap<string, string> {
  const there = [...new Set([...counts.values()].flatMap((own) => [...own.keys()]))]
  const list = `${there.slice(0, 20).join(', ')}${there.length > 20 ? ' …' : ''}`
  if (wanted.length === 0) throw new Misuse(`Specify the website with --website. The export has ${list}.`)
  if (wanted.every((id) => there.includes(id))) return new Map(wanted.map((id) => [id, id]))
  if (wanted.length > 1 || there.length !== 1) throw new Misuse(`The export has other websites: ${list}.`)
  tell(`The events of ${there[0]} are imported as events of ${wanted[0]}.`)
  return new Map([[wanted[0]!, there[0]!]])
}

function sourceOf(
  identity: string,
  { spill, counts }: Sorted,
  ids: ReadonlyMap<string, string>,
  mostRows: number,
): Source {
  const countsIn = async (counted: Counted): Promise<readonly Count[]> => {
    const months = [...counts.keys()].flatMap((file) => {
      const [kind, month = ''] = file.split(' ')
      return kind === counted.kind && /^\d/.test(month) ? [month] : []
    })
    const each = months.sort().map((month) => monthIn({ spill, counts }, ids, counted, month))
    return (await Promise.all(each)).flat()
  }
  return {
    store: 'export',
    identity: `${identity} ${[...ids].join(' ')}`,
    kinds: ['events', 'sessionData'],
    isByWebsite: false,
    canFollow: false,
    websites: async () => undefined,
    idsOfEvents: async () => [...ids.keys()],
    hasSaved: async () => false,
    months: countsIn,
    hours: countsIn,
    async outside({ kind }) {
      const own = counts.get(fileOf(kind, otherTimes))
      return rowsOf(ids, (id) => own?.get(id) ?? 0)
    },
    firstSessions: (section) => firstSessions(spill, ids, section),
    read: (section, after) => pages(spill, ids, section, Number(after?.[0] ?? 0), Math.min(mostRows, usualPage)),
    close: async () => spill.close(),
  }
}

const rowsOf = (ids: ReadonlyMap<string, string>, count: (id: string) => number) =>
  [...ids].flatMap(([websiteId, id]) => (count(id) > 0 ? [{ websiteId, rows: count(id) }] : []))

/**
 * The number of rows of a month within a span. If the span covers only part of the month, rows are counted one by one.
 */
async function monthIn(
  { spill, counts }: Sorted,
  ids: ReadonlyMap<string, string>,
  { kind, span }: Counted,
  month: string,
): Promise<readonly Count[]> {
  const [year, number] = month.split('-').map(Number) as [number, number]
  const [from, until] = [Date.UTC(year, number - 1), Date.UTC(year, number)]
  if (span.until <= from || span.from >= until) return []
  let own: ReadonlyMap<string, number> = counts.get(fileOf(kind, month)) ?? new Map()
  if (span.from > from || span.until < until) {
    const counted = new Map<string, number>()
    for await (const { row } of spill.values<SourceRecord>(fileOf(kind, month))) {
      if (isIn(row, span)) counted.set(row.website_id ?? '', (counted.get(row.website_id ?? '') ?? 0) + 1)
    }
    own = counted
  }
  return rowsOf(ids, (id) => own.get(id) ?? 0).map((count) => ({ ...count, span: month }))
}

function isIn(row: SourceRow, { from, until }: Span): boolean {
  const instant = instantOf(columnTime(row.created_at) ?? '')
  return instant >= from && instant < until
}

const firstSessions = (spill: Spill, ids: ReadonlyMap<string, string>, section: Section): Promise<FirstSessions> =>
  firstSessionsOf(section, async (span) => {
    const there = new Set(section.websiteIds.map((websiteId) => ids.get(websiteId)))
    const firsts = new Map<string, { order: string; session: string }>()
    const shared = new Set<string>()
    for (const month of new Set([span.from, (span.from + span.until) / 2, span.until - 1].map(monthOf))) {
      for await (const { row } of spill.values<SourceRecord>(fileOf('events', month))) {
        if (!there.has(row.website_id ?? '') || !isIn(row, span)) continue
        const [visit, session] = [row.visit_id ?? '', row.session_id ?? '']
        const order = `${columnTime(row.created_at)} ${row.event_id}`
        const known = firsts.get(visit)
        if (known && known.session !== session) shared.add(visit)
        if (!known || order < known.order) firsts.set(visit, { order, session })
      }
    }
    return [...shared].map((visit) => [visit, firsts.get(visit)!.session] as const)
  })

const monthOf = (instant: number): string => new Date(instant).toISOString().slice(0, 7)

/** The pages of a month. A cursor is the number of lines that were read. */
async function* pages(
  spill: Spill,
  ids: ReadonlyMap<string, string>,
  { kind, websiteIds, rows }: Section,
  skipped: number,
  mostRows: number,
): AsyncGenerator<SourcePage> {
  const targets = new Map(websiteIds.map((websiteId) => [ids.get(websiteId) ?? '', websiteId]))
  const month = 'in' in rows ? monthOf(rows.in.from) : otherTimes
  let page: SourceRecord[] = []
  let line = 0
  for await (const { row, properties } of spill.values<SourceRecord>(fileOf(kind, month))) {
    line++
    const website_id = targets.get(row.website_id ?? '')
    if (line <= skipped || website_id === undefined || ('in' in rows && !isIn(row, rows.in))) continue
    page.push({ row: { ...row, website_id }, properties })
    if (page.length < mostRows) continue
    yield pageOf(kind, page, line)
    page = []
  }
  if (page.length > 0) yield pageOf(kind, page, line)
}

const pageOf = (kind: Kind, page: readonly SourceRecord[], line: number): SourcePage =>
  kind === 'events'
    ? { events: page.map(({ row, properties }) => eventOf(row, properties)), rows: [], after: [String(line)] }
    : { events: [], rows: page.map(({ row }) => row), after: [String(line)] }
