import type { Fragment } from '../../../src/query/language/sql.ts'
import type { Row } from './same.ts'

/** No filter; one on browser and country; one on a path. */
export type Filter = 'none' | 'client' | 'path'

/** A question as it is asked once. The range is of whole hours. */
export interface Asked {
  readonly websiteId: string
  readonly startAt: number
  readonly endAt: number
  readonly filter: Filter
  readonly unit: 'hour' | 'day' | 'month'
  readonly sessionId: string
  readonly eventId: string
}

export const filtered = { browser: 'chrome', country: 'US', path: '/pricing' } as const

/** A question to an endpoint, and the statements that answer it in the naive layout. */
export interface Question {
  /** Its path below a website, with what is always asked; with a leading slash, the path of a report by POST. */
  readonly endpoint: string
  /** The difference from other questions to the endpoint. */
  readonly variant?: string
  readonly query?: Readonly<Record<string, string>>
  /** Those that it is asked with; none if left out. */
  readonly filters?: readonly Filter[]
  readonly takesUnit?: true
  readonly takesNoRange?: true
  /** It asks for this moment: the end of the range. */
  readonly isNow?: true
  /** The only statement of the plan that is measured; all of them if left out. */
  readonly only?: string
  /** One after the other. */
  readonly naive: (asked: Asked) => readonly Fragment[]
  /** The part of the answer that the naive statements give, too. */
  readonly rows: (body: never) => readonly Row[]
  /** The figures that the naive layout estimates. */
  readonly estimated?: readonly string[]
}
