import * as z from 'zod'

/** The envelope of a paged list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    data: z.array(item),
    count: z.number().int(),
    page: z.number().int(),
    pageSize: z.number().int(),
    isCapped: z.literal(true).optional(),
  })
