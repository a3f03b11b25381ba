import type { Fragment } from '../../../src/query/language/sql.ts'
import type { Row } from './same.ts'

/** No filter, a filter on browser and country, or a filter on a path. */
export type Filter = 'none' | 'client' | 'path'

/** The parameters of one run of a question. The range consists of whole hours. */
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

/** A question for an endpoint, and the statements that answer it in the naive layout. */
export interface Question {
  /** The question's path below a website, with fixed parameters. A leading slash means the path of a POST report. */
  readonly endpoint: string
  /** What distinguishes this question from others for the same endpoint. */
  readonly variant?: string
  readonly query?: Readonly<Record<string, string>>
  /** The filters with which the question is run; only `none` by default. */
  readonly filters?: readonly Filter[]
  readonly takesUnit?: true
  readonly takesNoRange?: true
  /** Set for a question about the current time, which is then the end of the range. */
  readonly isNow?: true
  /** The statements, which run one after the other. */
  readonly naive: (asked: Asked) => readonly Fragment[]
  /** The part of the answer that the naive statements also return. */
  readonly rows: (body: never) => readonly Row[]
  /** The figures that are estimates in the naive layout. */
  readonly estimated?: readonly string[]
}
