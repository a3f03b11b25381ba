import { type Fragment, sql } from '../../query/sql.ts'

/** What an action says of its session, in the order of `lastSaid`. */
export const attributes = [
  'hostname',
  'browser',
  'os',
  'device',
  'screen',
  'language',
  'country',
  'region',
  'city',
] as const

/** What an action says, by name; its hostname is not the session's. */
export function attributesOf(
  said: readonly string[],
): Record<Exclude<(typeof attributes)[number], 'hostname'>, string> {
  const [, browser = '', os = '', device = '', screen = '', language = '', country = '', region = '', city = ''] = said
  return { browser, os, device, screen, language, country, region, city }
}

/** Over actions: what the last one says. */
export const lastSaid: Fragment = sql`
  argMax([hostname, browser, os, device, screen, language, country, region, city], (created_at, event_id))`
