import type { Fragment } from '../../../src/query/language/sql.ts'
import type { Question } from '../statistics/naive.ts'
import type { Row } from '../statistics/same.ts'

/** A question about a session and a range. */
export interface Asked extends Question {
  readonly sessionId: string
}

/** A question to an endpoint, and the statements that answer it in the naive layout. */
export interface Compared {
  /** Its path below a website; with a leading slash, the path of a report by POST. */
  readonly endpoint: string
  /** The difference from other questions to the endpoint. */
  readonly variant?: string
  readonly query?: Readonly<Record<string, string>>
  readonly takesUnit?: true
  readonly takesNoRange?: true
  /** The only statement of the plan that is measured; all of them if left out. */
  readonly only?: string
  /** One after the other. */
  readonly naive: (asked: Asked) => readonly Fragment[]
  /** The same from the hourly rollup, where Umami reads it. */
  readonly rollup?: (asked: Asked) => readonly Fragment[]
  /** The part of the answer that the naive statements give, too. */
  readonly rows: (body: never) => readonly Row[]
  /** The figures that the naive layout estimates. */
  readonly estimated?: readonly string[]
}
