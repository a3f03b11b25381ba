import { type Fragment, sql } from '../language/sql.ts'
import { foreignReferrer } from './referrers.ts'

/**
 * The values of a page view that have their own chain, by metric type. Each is an expression over `events`. To change
 * one, write a migration in `sql/events` that withdraws all notes, because sealed rows have the old values. Only few
 * page views have values in other fields (tag, UTM fields), so a chain for those would cost more than it saves.
 */
export const chainedFields = {
  path: sql`url_path`,
  title: sql`page_title`,
  query: sql`url_query`,
  hostname: sql`hostname`,
  referrer: foreignReferrer,
} as const satisfies Readonly<Record<string, Fragment>>

export type ChainedField = keyof typeof chainedFields

/** The columns in rows of hours that contain the hashes of these values. */
export const hashedFields: Readonly<Record<ChainedField, Fragment>> = {
  path: sql`paths`,
  title: sql`titles`,
  query: sql`queries`,
  hostname: sql`hostnames`,
  referrer: sql`referrers`,
}

/** `chained_days` has rows for each value of these fields. Other fields have too many values on most websites. */
export const dailyFields = ['browser', 'os', 'device', 'country'] as const

export const isDaily = (type: string): type is (typeof dailyFields)[number] =>
  (dailyFields as readonly string[]).includes(type)

/** A `field` in `chained_days`: one of `dailyFields`, views without a value (`''`), actions by country, or bounces. */
export type DailyField = (typeof dailyFields)[number] | '' | 'actions' | 'bounces'

export const isChained = (type: string): type is ChainedField => Object.hasOwn(chainedFields, type)
