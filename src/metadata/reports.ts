import { freshFor, memo } from './memo.ts'
import { type Most, roomOf } from './owned.ts'
import { type ListPart, type Page, readPage } from './page.ts'
import type { Store, Stored } from './store.ts'
import type { Website } from './website.ts'
import { searchOf } from './websites.ts'

export const savedReportTypes = [
  'attribution',
  'breakdown',
  'funnel',
  'goal',
  'heatmap',
  'journey',
  'performance',
  'retention',
  'revenue',
  'utm',
] as const

export type SavedReportType = (typeof savedReportTypes)[number]

/** A saved report: its name and parameters, but not its results. */
export interface SavedReport {
  readonly id: string
  readonly websiteId: string
  /** The author's id; null for the operator. */
  readonly userId: string | null
  readonly type: SavedReportType
  readonly name: string
  readonly description: string
  readonly parameters: object
  /** In milliseconds since 1970, like all times in D1. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The fields of a saved report that its writer chooses. */
export type ReportFields = Pick<SavedReport, 'name' | 'description' | 'parameters'>

type ReportRow = Stored<SavedReport, 'parameters'>

const reportColumns = `id, website_id AS websiteId, user_id AS userId, type, name, description, parameters,
  created_at AS createdAt, updated_at AS updatedAt`

const reportOf = (row: ReportRow): SavedReport => ({ ...row, parameters: JSON.parse(row.parameters) as object })

const reportValues = ({ name, description, parameters }: ReportFields) =>
  [name, description, searchOf(name, description), JSON.stringify(parameters)] as const

/** Recently used saved reports. Each may be as large as a request body. */
const reportMemo = memo<SavedReport>(200)

/** Clears this isolate's cache of reports. */
export const forgetReports = reportMemo.clear

const readReport = (store: Store, id: string): Promise<SavedReport | undefined> =>
  store.one(reportOf, `SELECT ${reportColumns} FROM reports WHERE id = ?1`, id)

export const reports = (store: Store) => ({
  /** Newest first. Without a type, reports of all types. */
  list: (websiteId: string, type: SavedReportType | undefined, list: ListPart): Promise<Page<SavedReport>> =>
    readPage(
      store,
      {
        columns: reportColumns,
        from: 'FROM reports WHERE website_id = ?1 AND (?2 IS NULL OR type = ?2) AND instr(search, ?3) > 0',
        order: 'created_at DESC, id',
        large: 'parameters',
      },
      [websiteId, type ?? null, list.search.toLowerCase()],
      list,
      reportOf,
    ),

  read: (id: string) => readReport(store, id),

  /** Like `read`, but uses the cache if possible. */
  async lookUp(id: string): Promise<SavedReport | undefined> {
    const known = reportMemo.get(id, store.now)
    if (known) return known
    const keep = reportMemo.keeper()
    const report = await readReport(store, id)
    if (report) keep(id, report, store.now + freshFor)
    return report
  },

  /** Throws a `TooManyOwnedError`. */
  async create(
    website: Website,
    { userId, type }: Pick<SavedReport, 'userId' | 'type'>,
    { name, description, parameters }: ReportFields,
    most: Most,
  ): Promise<SavedReport> {
    const [id, websiteId] = [crypto.randomUUID(), website.id]
    const room = roomOf('saved report', website, most)
    const [created] = await store.write([
      `INSERT INTO reports (name, description, search, parameters, id, website_id, user_id, type, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9 WHERE ${room.left('?10')}`,
      ...reportValues({ name, description, parameters }),
      id,
      websiteId,
      userId,
      type,
      store.now,
      ...room.values,
    ])
    if (created !== 1) throw room.refusal()
    const times = { createdAt: store.now, updatedAt: store.now }
    return { id, websiteId, userId, type, name, description, parameters, ...times }
  },

  /** Returns the updated report, or undefined if it no longer exists. */
  async update(id: string, fields: ReportFields): Promise<SavedReport | undefined> {
    const updated = await store.writeFirst<ReportRow>(
      `UPDATE reports SET name = ?1, description = ?2, search = ?3, parameters = ?4, updated_at = ?6
       WHERE id = ?5 RETURNING ${reportColumns}`,
      ...reportValues(fields),
      id,
      store.now,
    )
    return updated && reportOf(updated)
  },

  /** Returns whether the report existed. */
  async delete(id: string): Promise<boolean> {
    const [deleted] = await store.write(['DELETE FROM reports WHERE id = ?1', id])
    return deleted !== 0
  },
})
