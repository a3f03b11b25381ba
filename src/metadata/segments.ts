import { freshFor, memo } from './memo.ts'
import { type Most, roomOf } from './owned.ts'
import { type ListOptions, type Page, readPage } from './page.ts'
import type { Store, Stored } from './store.ts'
import type { Website } from './website.ts'

type SegmentType = 'segment' | 'cohort'

/** Filters saved under a name; see `request/saved-filters.ts`. */
export interface Segment {
  readonly id: string
  readonly websiteId: string
  readonly type: SegmentType
  readonly name: string
  readonly parameters: object
  /** In milliseconds since 1970, like all times in D1. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The fields of a segment or cohort that its editor chooses. */
type SegmentFields = Pick<Segment, 'type' | 'name' | 'parameters'>

type SegmentOrder = 'name'

/** Whether segments that filter by `distinctId` are visible. Shares and public websites hide them. */
export type SegmentVisibility = 'all' | 'without distinctId'

type SegmentRow = Stored<Segment, 'parameters'>

const segmentColumns =
  'id, website_id AS websiteId, type, name, parameters, created_at AS createdAt, updated_at AS updatedAt'

const segmentOf = (row: SegmentRow): Segment => ({ ...row, parameters: JSON.parse(row.parameters) as object })

/** No other field has a name that starts with `distinctId`; `distinctId1` is the same field. */
const visibilityConditions: Readonly<Record<SegmentVisibility, string>> = {
  all: 'TRUE',
  'without distinctId': `NOT EXISTS (SELECT 1 FROM json_each(parameters, '$.filters') WHERE value ->> 'name' GLOB 'distinctId*')`,
}

const segmentValues = ({ type, name, parameters }: SegmentFields) =>
  [type, name, name.toLowerCase(), JSON.stringify(parameters)] as const

/** Recently used segments. Each may be as large as a request body. */
const segmentMemo = memo<Segment>(200)

/** Clears this isolate's segment cache. */
export const forgetSegments = segmentMemo.clear

/** The website's segments with these ids. Takes one round trip, or none if all of them are cached. */
async function lookUpSegments(
  store: Store,
  websiteId: string,
  visibility: SegmentVisibility,
  ids: readonly string[],
): Promise<Segment[]> {
  const memoKey = (id: string): string => [websiteId, id, visibility].join(' ')
  const found = ids.flatMap((id) => segmentMemo.get(memoKey(id), store.now) ?? [])
  if (found.length === ids.length) return found
  const keep = segmentMemo.keeper()
  const rows = await readSegments(store, websiteId, visibility, ids)
  for (const segment of rows) keep(memoKey(segment.id), segment, store.now + freshFor)
  return rows
}

/** The website's segments with these ids, in one round trip. */
async function readSegments(
  store: Store,
  websiteId: string,
  visibility: SegmentVisibility,
  ids: readonly string[],
): Promise<Segment[]> {
  const slots = ids.map((_, index) => `?${index + 2}`).join(', ')
  const rows = await store.all<SegmentRow>(
    `SELECT ${segmentColumns} FROM segments WHERE website_id = ?1 AND id IN (${slots}) AND ${visibilityConditions[visibility]}`,
    websiteId,
    ...ids,
  )
  return rows.map(segmentOf)
}

export const segments = (store: Store) => ({
  list: (
    websiteId: string,
    type: SegmentType,
    visibility: SegmentVisibility,
    list: ListOptions<SegmentOrder>,
  ): Promise<Page<Segment>> =>
    readPage(
      store,
      {
        columns: segmentColumns,
        from: `FROM segments WHERE website_id = ?1 AND type = ?2 AND instr(search, ?3) > 0 AND ${visibilityConditions[visibility]}`,
        order: `name COLLATE NOCASE ${list.descending ? 'DESC' : 'ASC'}, id`,
        large: 'parameters',
      },
      [websiteId, type, list.search.toLowerCase()],
      list,
      segmentOf,
    ),

  read: (websiteId: string, visibility: SegmentVisibility, ...ids: readonly string[]) =>
    readSegments(store, websiteId, visibility, ids),

  /** Like `read`, but uses the cache if possible. */
  lookUp: (websiteId: string, visibility: SegmentVisibility, ...ids: readonly string[]) =>
    lookUpSegments(store, websiteId, visibility, ids),

  /** Throws a `TooManyOwnedError`. */
  async create(website: Website, fields: SegmentFields, most: Most): Promise<Segment> {
    const [id, websiteId] = [crypto.randomUUID(), website.id]
    const room = roomOf('segment', website, most)
    const [created] = await store.write([
      `INSERT INTO segments (type, name, search, parameters, id, website_id, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 WHERE ${room.left('?8')}`,
      ...segmentValues(fields),
      id,
      websiteId,
      store.now,
      ...room.values,
    ])
    if (created !== 1) throw room.refusal()
    return { id, websiteId, ...fields, createdAt: store.now, updatedAt: store.now }
  },

  /** Returns the updated segment, or undefined if the website has no segment with this id. */
  async update(websiteId: string, id: string, fields: SegmentFields): Promise<Segment | undefined> {
    await store.write([
      `UPDATE segments SET type = ?1, name = ?2, search = ?3, parameters = ?4, updated_at = ?7
       WHERE id = ?5 AND website_id = ?6`,
      ...segmentValues(fields),
      id,
      websiteId,
      store.now,
    ])
    const [updated] = await readSegments(store, websiteId, 'all', [id])
    return updated
  },

  /** Returns whether the segment existed. */
  async delete(websiteId: string, id: string): Promise<boolean> {
    const [deleted] = await store.write(['DELETE FROM segments WHERE id = ?1 AND website_id = ?2', id, websiteId])
    return deleted !== 0
  },
})
