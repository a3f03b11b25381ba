import * as z from 'zod'

/** Fields that the inputs and outputs of several tools share. */

export const pageFields = () => ({
  page: z.int().min(1).max(1_000_000).default(1).describe('Page, from 1.'),
  pageSize: z.int().min(1).max(100).default(20).describe('Rows per page.'),
})

/** The paging fields of an answer. */
export const pageOutput = () => ({
  page: z.int(),
  pageSize: z.int(),
  count: z.int(),
  hasMore: z.boolean(),
})

/** A paged API response. */
export interface Paged<Row> {
  readonly data: readonly Row[]
  readonly count: number
  readonly page: number
  readonly pageSize: number
}

export const pageInfo = ({ count, page, pageSize }: Paged<unknown>) => ({
  page,
  pageSize,
  count,
  hasMore: page * pageSize < count,
})

export const idField = () => z.guid('Must be an id: 8-4-4-4-12 hexadecimal digits.')
export const limitField = () => z.int().min(1).max(500).default(20).describe('Maximum rows per list.')
export const searchField = (what: string) => z.string().min(1).max(4000).optional().describe(what)
export const unitField = () =>
  z
    .enum(['minute', 'hour', 'day', 'week', 'month', 'year'])
    .optional()
    .describe('Length of the steps. Default: minute up to an hour, hour up to 30 days, then day or month.')
export const compareField = () =>
  z.enum(['prev', 'yoy']).describe('prev: the range before; yoy: the same range a year earlier.')
export const intField = () => z.int()
export const numberField = () => z.number()
export const textField = () => z.string()
export const pointsField = () => z.array(z.object({ date: textField(), value: intField() }))
export const namedField = () => z.array(z.object({ name: textField(), value: numberField() }))

/** The types of properties: `dataType` 1 to 5. */
export const typesOfProperty = ['string', 'number', 'boolean', 'date', 'array'] as const
