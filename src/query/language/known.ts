import type { Result } from './statement.ts'

/** An isolate's knowledge about a website. It affects which statement runs, but never the answer. */
export interface Knowledge {
  /** The results of preparatory statements, by key. */
  readonly found: ReadonlyMap<string, Result<unknown>>
  /** The names of statements that could not answer recently. */
  readonly failed: ReadonlySet<string>
}
