import type { Fragment } from '../../../src/query/language/sql.ts'
import type { Row } from './same.ts'

/** No filter; one on browser and country; one on a path. */
export type Filter = 'none' | 'client' | 'path'

/** One instance of a question. The range has whole hours. */
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
  /** The question's path below a website, with fixed parameters; with a leading slash, the path of a report by POST. */
  readonly endpoint: string
  /** The difference from other questions to the endpoint. */
  readonly variant?: string
  readonly query?: Readonly<Record<string, string>>
  /** The question's filters; none by default. */
  readonly filters?: readonly Filter[]
  readonly takesUnit?: true
  readonly takesNoRange?: true
  /** The question is about the current moment: the end of the range. */
  readonly isNow?: true
  /** The only statement of the plan to measure; all by default. */
  readonly only?: string
  /** The statements run one after the other. */
  readonly naive: (asked: Asked) => readonly Fragment[]
  /** The part of the answer that the naive statements also return. */
  readonly rows: (body: never) => readonly Row[]
  /** The figures that the naive layout estimates. */
  readonly estimated?: readonly string[]
}
