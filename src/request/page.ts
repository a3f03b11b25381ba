import { fromBase64Url, toBase64Url } from '../base64url.ts'
import type { Origin } from './need.ts'
import { freeText, type Group, group, type Parameter, wholeNumber } from './query-string.ts'

/**
 * The last row before a page, in a list whose newest rows come first. `before` is the number of rows that come before
 * the page. `ties` is how many of those have this row's time and id if the page begins with more such rows, otherwise
 * 0.
 */
export interface Cursor {
  readonly createdAt: number
  readonly eventId: string
  readonly before: number
  readonly ties: number
  /** The end of the first page's range, for lists whose order changes as events arrive. */
  readonly until?: number | undefined
  /** The origin of the previous page. The next page must include all rows that this origin had. */
  readonly origin?: Origin
}

/** A requested page, with `offset` rows before it. A cursor locates the page by key instead of by counting. */
export interface PageRequest {
  readonly page: number
  readonly pageSize: number
  readonly offset: number
  readonly cursor: Cursor | undefined
  readonly maxResults: number | undefined
}

const cursorParameter: Parameter<Cursor> = {
  read: (text, refuse) =>
    decodeCursor(text) ?? void refuse('Must be a cursor from the Link header of an earlier answer.'),
  doc: {
    description: 'The position after a page, from its Link header. Give cursor or page, not both.',
    schema: { type: 'string' },
  },
}

export const pageNumber = wholeNumber('Page, from 1.', { min: 1, max: 1_000_000_000, default: 1 })
export const pageSize = wholeNumber('The number of rows in a page.', { min: 1, max: 1000, default: 20 })
export const maxResults = wholeNumber(
  'The maximum number of rows that are counted and paged; isCapped says whether there are more.',
  {
    min: 1,
    max: 1_000_000_000,
  },
)

export const pages = group(
  { page: pageNumber, pageSize, maxResults, cursor: cursorParameter },
  ({ page, pageSize = 20, maxResults, cursor }, addIssue): { page: PageRequest } => {
    if (cursor && page !== undefined) addIssue('cursor', 'Give page or cursor, not both.')
    const offset = cursor ? cursor.before : ((page ?? 1) - 1) * pageSize
    return {
      page: { page: cursor ? Math.floor(offset / pageSize) + 1 : (page ?? 1), pageSize, offset, cursor, maxResults },
    }
  },
)

/** The requested part of a list that is returned as an array without paging fields. */
export interface Slice {
  readonly limit: number
  readonly offset: number
}

/** The parameter for the maximum number of rows, which defaults to `rows`. */
const limitOf = (rows: number, most = 10_000) => wholeNumber('The row limit.', { min: 1, max: most, default: rows })

/** A part of a list: by default its first `rows` rows, and never more than `most` rows. */
export const slicesOf = (rows: number, most?: number): Group<{ slice: Slice }> =>
  group(
    {
      limit: limitOf(rows, most),
      offset: wholeNumber('The number of rows to skip.', { min: 0, max: 1_000_000_000, default: 0 }),
    },
    ({ limit = rows, offset = 0 }) => ({ slice: { limit, offset } }),
  )

export const slices = slicesOf(500)

/** The first rows of a list, by default `rows` of them. */
export const firstOf = (rows: number): Group<{ slice: Slice }> =>
  group({ limit: limitOf(rows) }, ({ limit = rows }) => ({ slice: { limit, offset: 0 } }))

/** A search text. Each character is literal, and case is ignored. An empty text means no search. */
export const search = (description: string): Group<{ search: string | undefined }> =>
  group({ search: freeText(description) }, ({ search }) => ({ search: search === '' ? undefined : search }))

/** The description of a search among events. */
export const eventsSearched = 'Part of a custom event’s name or of a page view’s path, ignoring case.'

export function encodeCursor({ createdAt, eventId, before, ties, until }: Cursor): string {
  const pinned = until === undefined ? '' : ` until ${until}`
  return toBase64Url(`${createdAt} ${eventId} ${before}${ties === 0 ? '' : ` ${ties}`}${pinned}`)
}

/** Adds a page's origin to its cursor. */
export const withOrigin = (cursor: string, { replica = '', asOf }: Origin): string =>
  `${cursor}.${toBase64Url(`${asOf?.toString(36) ?? ''} ${replica}`)}`

function decodeCursor(text: string): Cursor | undefined {
  const [, position = '', origin] = /^([\w-]{1,150})(?:\.([\w-]{1,80}))?$/.exec(text) ?? []
  try {
    const plain = fromBase64Url(position)
    const from = origin === undefined ? {} : originIn(fromBase64Url(origin))
    if (!from) return undefined
    const [, createdAt, eventId, before, ties = 0, until] =
      /^(-?\d{1,13}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}) (\d{1,12})(?: (\d{1,4}))?(?: until (-?\d{1,13}))?$/.exec(
        plain,
      ) ?? []
    return eventId
      ? {
          createdAt: Number(createdAt),
          eventId,
          before: Number(before),
          ties: Number(ties),
          ...(until !== undefined && { until: Number(until) }),
          ...(origin !== undefined && { origin: from }),
        }
      : undefined
  } catch {
    return undefined
  }
}

function originIn(text: string): Origin | undefined {
  const [, asOf, replica] = /^([\da-z]{1,9})? ([\w.-]{1,40})?$/.exec(text) ?? []
  if (asOf === undefined && replica === undefined) return undefined
  return {
    ...(replica !== undefined && { replica }),
    ...(asOf !== undefined && { asOf: Number.parseInt(asOf, 36) }),
  }
}
