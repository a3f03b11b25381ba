import { type Most, roomOf } from './owned.ts'
import { type ListPart, type Page, readPage } from './page.ts'
import type { Store } from './store.ts'
import type { Website } from './website.ts'

/** A note about a moment in a website's history. */
export interface Annotation {
  readonly id: string
  readonly websiteId: string
  /** The author's id; null for the operator. */
  readonly userId: string | null
  /** In milliseconds since 1970, like all times in D1. */
  readonly date: number
  readonly allDay: boolean
  readonly note: string
  readonly createdAt: number
  readonly updatedAt: number
}

/** The fields of an annotation that its author chooses. */
type AnnotationFields = Pick<Annotation, 'date' | 'allDay' | 'note'>

/** Both ends are inclusive. */
interface Dates {
  readonly startAt: number
  readonly endAt: number
}

type AnnotationRow = Omit<Annotation, 'allDay'> & { readonly allDay: number }

const annotationColumns = `id, website_id AS websiteId, user_id AS userId, date, all_day AS allDay, note,
  created_at AS createdAt, updated_at AS updatedAt`

const annotationOf = (row: AnnotationRow): Annotation => ({ ...row, allDay: row.allDay === 1 })

const annotationValues = ({ date, allDay, note }: AnnotationFields) =>
  [date, allDay ? 1 : 0, note, note.toLowerCase()] as const

export const annotations = (store: Store) => ({
  /** The annotations in a range, latest date first. If no range is given, all of the website's annotations. */
  list: (websiteId: string, dates: Dates | undefined, list: ListPart): Promise<Page<Annotation>> =>
    readPage(
      store,
      {
        columns: annotationColumns,
        from: `FROM annotations WHERE website_id = ?1 AND instr(search, ?2) > 0
          AND (?3 IS NULL OR date BETWEEN ?3 AND ?4)`,
        order: 'date DESC, id',
      },
      [websiteId, list.search.toLowerCase(), dates?.startAt ?? null, dates?.endAt ?? null],
      list,
      annotationOf,
    ),

  read: (websiteId: string, id: string): Promise<Annotation | undefined> =>
    store.one(
      annotationOf,
      `SELECT ${annotationColumns} FROM annotations WHERE id = ?1 AND website_id = ?2`,
      id,
      websiteId,
    ),

  /** Throws a `TooManyOwnedError`. */
  async create(website: Website, userId: string | null, fields: AnnotationFields, most: Most): Promise<Annotation> {
    const [id, websiteId] = [crypto.randomUUID(), website.id]
    const room = roomOf('annotation', website, most)
    const made = await store.note<object>(
      `INSERT INTO annotations (date, all_day, note, search, id, website_id, user_id, created_at, updated_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8 WHERE ${room.left('?9')} RETURNING id`,
      ...annotationValues(fields),
      id,
      websiteId,
      userId,
      store.now,
      ...room.values,
    )
    if (!made) throw room.refusal()
    return { id, websiteId, userId, ...fields, createdAt: store.now, updatedAt: store.now }
  },

  /** Returns the updated annotation, or undefined if the website has no annotation with this id. */
  async update(websiteId: string, id: string, fields: AnnotationFields): Promise<Annotation | undefined> {
    const updated = await store.note<AnnotationRow>(
      `UPDATE annotations SET date = ?1, all_day = ?2, note = ?3, search = ?4, updated_at = ?7
       WHERE id = ?5 AND website_id = ?6 RETURNING ${annotationColumns}`,
      ...annotationValues(fields),
      id,
      websiteId,
      store.now,
    )
    return updated && annotationOf(updated)
  },

  /** Returns whether the annotation existed. */
  async delete(websiteId: string, id: string): Promise<boolean> {
    const deleted = await store.note<object>(
      'DELETE FROM annotations WHERE id = ?1 AND website_id = ?2 RETURNING id',
      id,
      websiteId,
    )
    return deleted !== undefined
  },
})
