import type { Result } from './statement.ts'

/** What an isolate knows of a website. It decides which statement asks a question, and changes no answer. */
export interface Knowledge {
  /** The results of statements that plans wanted, by key. */
  readonly found: ReadonlyMap<string, Result<unknown>>
  /** The names of statements that lately did not answer. */
  readonly failed: ReadonlySet<string>
}
