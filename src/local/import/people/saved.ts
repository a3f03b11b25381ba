import { made } from '../../../made.ts'
import { searchOf } from '../../../metadata/websites.ts'
import { CohortParameters, SegmentParameters } from '../../../request/saved-filters.ts'
import { dayLength } from '../../../request/time-zone.ts'
import type { SourceRow } from '../source.ts'
import { isObject, isTrue, objectIn, picked, stamps, textIn, timeIn } from './columns.ts'
import { reportsIn } from './reports.ts'
import { idFrom } from './shares.ts'
import { type Known, leftOut, type Moved, one, withoutWebsite } from './thing.ts'

/** The user's id, if Weir has this user. */
const author = ({ user_id: id = null }: SourceRow, { users }: Known): string | null =>
  id !== null && users.has(id) ? id : null

const isHere = ({ website_id: id }: SourceRow, { websites }: Known): boolean => websites.has(id ?? '')

/**
 * A segment or a cohort. It is left out if it has unsupported filters, because without them it would select other
 * visitors.
 */
export function segmentOf(row: SourceRow, known: Known): Moved {
  const [type, name, given] = [textIn(row, 'type'), textIn(row, 'name'), objectIn(row, 'parameters')]
  if (!isHere(row, known)) return withoutWebsite(known)
  if (type !== 'segment' && type !== 'cohort') return leftOut('its type is unknown', type)
  const schema = made(type === 'segment' ? SegmentParameters : CohortParameters)
  const names = ['filters', 'match', 'sessionPropertyFilters', ...(type === 'cohort' ? ['dateRange', 'action'] : [])]
  const { data, error } = schema.safeParse(given && withTexts(picked(given, names)))
  if (!data) {
    const [issue] = error!.issues
    return leftOut('its parameters are not supported', `${issue?.path.join('.')}: ${issue?.message}`)
  }
  const values = {
    ...{ id: row.segment_id!, website_id: row.website_id!, type, name, search: name.toLowerCase() },
    ...{ parameters: JSON.stringify(data), ...stamps(row, known.now) },
  }
  return one({ table: 'segments', values })
}

/** Filters with only the fields that Weir supports; numbers and booleans become texts. */
function withTexts({ filters, ...rest }: Readonly<Record<string, unknown>>) {
  if (!Array.isArray(filters)) return { ...rest, ...(filters !== undefined && { filters }) }
  const read = filters.map((filter: unknown) => {
    const { value, ...others } = isObject(filter) ? picked(filter, ['name', 'operator', 'value']) : { value: undefined }
    return { ...others, value: typeof value === 'number' || typeof value === 'boolean' ? String(value) : value }
  })
  return { ...rest, filters: read }
}

/** A saved report. A 2.x report with several goals becomes one report per goal. */
export function reportOf(row: SourceRow, known: Known): Moved {
  if (!isHere(row, known)) return withoutWebsite(known)
  const [name, description] = [textIn(row, 'name'), textIn(row, 'description')]
  const read = reportsIn(textIn(row, 'type'), objectIn(row, 'parameters') ?? {})
  if ('leftOut' in read) return read
  const things = read.reports.map(({ type, parameters, of }, index) => {
    const called = read.reports.length > 1 ? `${name} - ${of}`.slice(0, 200).toWellFormed() : name
    const values = {
      ...{ id: index === 0 ? row.report_id! : idFrom(`goal ${index} of ${row.report_id}`) },
      ...{ website_id: row.website_id!, user_id: author(row, known), type, name: called, description },
      ...{ search: searchOf(called, description), parameters: JSON.stringify(parameters), ...stamps(row, known.now) },
    }
    return { put: { table: 'reports', values } } as const
  })
  return { things, said: read.isWhole ? [] : [{ remark: 'some goals are not imported', what: `report ${name}` }] }
}

export function annotationOf(row: SourceRow, known: Known): Moved {
  const [date, note] = [timeIn(row, 'date'), textIn(row, 'note')]
  if (!isHere(row, known)) return withoutWebsite(known)
  if (date === null) return leftOut('its parameters are not supported', 'date')
  const isAllDay = isTrue(row, 'all_day')
  const values = {
    ...{ id: row.annotation_id!, website_id: row.website_id!, user_id: author(row, known) },
    ...{ date: isAllDay ? Math.floor(date / dayLength) * dayLength : date, all_day: isAllDay ? 1 : 0, note },
    ...{ search: note.toLowerCase(), ...stamps(row, known.now) },
  }
  return one({ table: 'annotations', values })
}

export function savedReplayOf(row: SourceRow, known: Known): Moved {
  if (!isHere(row, known)) return withoutWebsite(known)
  const name = textIn(row, 'name')
  const values = {
    ...{ id: row.saved_replay_id!, website_id: row.website_id!, visit_id: row.visit_id!, name },
    ...{ search: name.toLowerCase(), ...stamps(row, known.now) },
  }
  return one({ table: 'saved_replays', values })
}

export function seenReplayOf(row: SourceRow, known: Known): Moved {
  if (!isHere(row, known)) return withoutWebsite(known)
  const user_id = author(row, known)
  if (user_id === null) return leftOut('its user is not here')
  const seen_at = stamps(row, known.now).created_at
  const values = { user_id, website_id: row.website_id!, visit_id: row.visit_id!, seen_at }
  return one({ table: 'seen_replays', values })
}
