import { type Fragment, sql } from '../../query/language/sql.ts'

/** The session attributes that each action carries, in the order of `lastSaid`. */
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

/** The attributes of an action, by name. Its hostname is not the session's. */
export function attributesOf(
  said: readonly string[],
): Record<Exclude<(typeof attributes)[number], 'hostname'>, string> {
  const [, browser = '', os = '', device = '', screen = '', language = '', country = '', region = '', city = ''] = said
  return { browser, os, device, screen, language, country, region, city }
}

/** An aggregate over actions: the attributes of the last action, as a tuple, which costs less than an array. */
export const lastSaid: Fragment = sql`
  argMax((hostname, browser, os, device, screen, language, country, region, city), (created_at, event_id))`
