import { id } from '../oracle/fixtures.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { IngestRow } from '../oracle/model.ts'
import { columnTime } from './website.ts'

const [second, hour, day] = [1000, 3_600_000, 86_400_000]

const at = ({ created_at }: IngestRow): number => columnInstant(created_at!)

/** A row like this one, but at a different moment. Its event gets an id later. */
const moved = (row: IngestRow, moment: number, more: Partial<IngestRow> = {}): IngestRow => ({
  ...row,
  ...{ event_type: 1, event_name: '', created_at: columnTime(moment) },
  ...more,
})

const isAlone = { visit_id: '' }

/** Builds the late rows from those of a session and of the requested visit, both in order. */
type Late = (session: readonly IngestRow[], visit: readonly IngestRow[]) => IngestRow[]

const startOfHour = (moment: number): number => Math.floor(moment / hour) * hour
const startOfDay = (moment: number): number => Math.floor(moment / day) * day

/** Every kind of view that may arrive after its day has been sealed. Visits without an id become separate visits. */
export const lateViews = {
  'before the first view of their session': ([first]) => [
    moved(first!, at(first!) - 9 * day, isAlone),
    moved(first!, at(first!) - 1),
  ],
  'between two views of their session': (session) =>
    session.slice(1).map((row, place) => moved(row, Math.floor((at(session[place]!) + at(row)) / 2), isAlone)),
  'between two views of their visit': (_, visit) =>
    visit.slice(1).map((row, place) => moved(row, Math.floor((at(visit[place]!) + at(row)) / 2))),
  'after the last view of their session': (session) => [moved(session.at(-1)!, at(session.at(-1)!) + day, isAlone)],
  'that continue a visit of one view': (_, visit) =>
    visit.length === 1 ? [moved(visit[0]!, at(visit[0]!) + 30 * hour)] : [],
  'of a visit over midnight': (_, visit) => {
    const midnight = startOfDay(at(visit.at(-1)!)) + day
    return [moved(visit.at(-1)!, midnight - 1), moved(visit.at(-1)!, midnight)]
  },
  'of a visit that crosses the end of the sealed days': (_, visit) => {
    const today = startOfDay(Date.now())
    return [moved(visit.at(-1)!, today - hour), moved(visit.at(-1)!, today - 1), moved(visit.at(-1)!, today + second)]
  },
  'with another browser than their session': (session, visit) => [
    moved(session[0]!, at(session[0]!) + hour, { browser: 'edge' }),
    moved(visit.at(-1)!, at(visit.at(-1)!) + second, { browser: 'edge', city: 'Elsewhere' }),
  ],
  'from alternating browsers within an hour': (_, visit) =>
    ['edge', 'chrome', 'edge', 'firefox'].map((browser, place) =>
      moved(visit[0]!, startOfHour(at(visit[0]!)) + (10 + place) * second, { browser }),
    ),
  'that are custom events': (session, visit) => {
    const custom = { event_type: 2, event_name: 'late' }
    return [
      moved(session[0]!, at(session[0]!) - 9 * day, { ...custom, ...isAlone }),
      moved(visit[0]!, at(visit[0]!) - hour, custom),
      moved(visit.at(-1)!, at(visit.at(-1)!) + 5 * hour, { ...custom, browser: 'edge' }),
      moved(visit.at(-1)!, at(visit.at(-1)!) + 6 * hour),
    ]
  },
  'at moments that others have': (session, visit) => [
    moved(session[0]!, at(session[0]!)),
    moved(visit[0]!, at(visit[0]!), isAlone),
  ],
} satisfies Readonly<Record<string, Late>>

export type LateKind = keyof typeof lateViews

/** Late views of this kind up to a moment, in every third visit. */
export function lateViewsOf(kind: LateKind, rows: readonly IngestRow[], until: number): IngestRow[] {
  const grouped = (key: 'session_id' | 'visit_id') => {
    const groups = new Map<string, IngestRow[]>()
    for (const row of [...rows].sort((one, other) => at(one) - at(other)))
      groups.set(row[key]!, [...(groups.get(row[key]!) ?? []), row])
    return groups
  }
  const sessions = grouped('session_id')
  return [...grouped('visit_id').values()]
    .filter((_, place) => place % 3 === 0)
    .flatMap((visit) => lateViews[kind](sessions.get(visit[0]!.session_id!)!, visit))
    .filter((row) => at(row) < until)
    .map((row, place) => ({ ...row, event_id: id(800_000 + place), visit_id: row.visit_id || id(700_000 + place) }))
}
