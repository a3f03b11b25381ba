import type { Result } from './statement.ts'

/** What an isolate knows about a website. It affects which statement runs, but never the answer. */
export interface Knowledge {
  /** The results of preparatory statements, by key. */
  readonly found: ReadonlyMap<string, Result<unknown>>
  /** The names of statements that were recently unable to answer. */
  readonly failed: ReadonlySet<string>
}
