import type { PurgeSessions } from '../metadata/sessions.ts'
import type { Scope } from '../query/language/scope.ts'
import type { Fragment } from '../query/language/sql.ts'
import type { Plan, Results } from '../query/language/statement.ts'
import type { Filters } from '../request/filters.ts'

export interface StreamedAnswer {
  readonly stream: ReadableStream<Uint8Array>
  /** JSON if undefined. */
  readonly contentType?: string
  readonly cacheControl?: string
}

/** The events and recordings of the website that the request identifies, as this caller may read them. */
export interface WebsiteReading {
  readonly scope: Scope
  /** The filters of a request, including those of its segment and cohort. */
  readonly filtersOf: (given: Filters) => Promise<Filters>
  /** Runs the statements of a plan at the same time. */
  readonly run: <Rows extends Record<string, unknown>>(plan: Plan<Rows>) => Promise<Results<Rows>>
  /** Runs a plan while the answer is being sent: it may take as long as an export. */
  readonly runWhileSending: WebsiteReading['run']
  /**
   * Streams the rows of statements, one statement after the other, as lines of JSON. If the stream breaks off, its last
   * line is the error. Counts as an export, and resolves once the first rows have arrived.
   */
  readonly rowsInTurn: (statements: readonly Fragment[]) => Promise<AsyncGenerator<Uint8Array>>
  /** Deletes sessions for good; undefined if the server has no purger (`PURGER`). */
  readonly purgeSessions: PurgeSessions | undefined
}
