import { compile, type Statement } from '../query/sql.ts'

/** What a cached answer is the answer to. */
export interface CacheSubject {
  /** Of the endpoint. */
  readonly name: string
  readonly websiteId: string
  /** Counted up by a purge. */
  readonly epoch: number
  readonly plan: Readonly<Record<string, Statement<unknown>>>
  /** What was asked for, all that `shape` may read of it; not the filters, which the plan holds. */
  readonly input: object
}

/**
 * What is equal for equal questions and for no others. Whoever asks is no part of it: what they may see is in the plan.
 */
export const cacheKey = ({ name, websiteId, epoch, plan, input }: CacheSubject): string =>
  JSON.stringify([
    name,
    websiteId,
    epoch,
    Object.entries(plan).map(([part, { body }]) => [part, compile(body)]),
    { ...input, filters: undefined },
  ])
