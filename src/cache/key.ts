import { compile } from '../query/language/sql.ts'
import type { Statement } from '../query/language/statement.ts'

/** Everything that identifies a cached answer. */
interface CacheSubject {
  /** The name of the endpoint. */
  readonly name: string
  readonly websiteId: string
  /** Incremented by a purge. */
  readonly epoch: number
  readonly plan: Readonly<Record<string, Statement<unknown>>>
  /** The input that `shape` may read. It excludes the filters, because the plan contains them. */
  readonly input: object
}

/** Unique for each question. The caller is not part of the key, because the plan contains the caller's restrictions. */
export const cacheKey = ({ name, websiteId, epoch, plan, input }: CacheSubject): string =>
  JSON.stringify([
    name,
    websiteId,
    epoch,
    Object.entries(plan).map(([part, { body }]) => [part, compile(body)]),
    { ...input, filters: undefined },
  ])
