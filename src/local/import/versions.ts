import { Misuse } from '../told/misuse.ts'

type Columns = ReadonlyMap<string, ReadonlySet<string>>

/** The columns that an import needs, in every version since 2.15. */
const needed: Readonly<Record<string, readonly string[]>> = {
  website_event: ['website_id', 'session_id', 'visit_id', 'event_id', 'created_at', 'event_type', 'url_path'],
  event_data: ['website_id', 'data_key', 'data_type', 'string_value', 'number_value', 'date_value', 'created_at'],
  session_data: ['website_id', 'session_id', 'data_key', 'data_type', 'string_value', 'created_at'],
}

/** Refuses tables of a version before 2.15, and databases that are not Umami's. */
export function refuseOtherVersions(columns: Columns): void {
  if (!columns.has('website_event')) {
    throw new Misuse(
      'This database has no table website_event. Is it an Umami database? ?schema=NAME selects another schema.',
    )
  }
  const missing = Object.entries(needed).flatMap(([table, names]) => {
    const has = columns.get(table)
    return has ? names.filter((name) => !has.has(name)).map((name) => `${table}.${name}`) : [table]
  })
  if (missing.length === 0) return
  throw new Misuse(
    `This database is of an Umami before 2.15: it lacks ${missing.slice(0, 3).join(', ')}. ` +
      'Upgrade Umami to 2.15 or later first; its migrations rename columns that an import reads.',
  )
}
