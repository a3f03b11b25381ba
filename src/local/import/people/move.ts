import type { Postgres } from '../postgres.ts'
import type { SourceRow } from '../source.ts'
import { type Family, families } from './families.ts'
import type { Noted, Notes } from './notes.ts'
import type { Outcome, Place } from './places.ts'
import { hasFamily, pagesOf, usersWithTwoFactors } from './read.ts'
import { isTooLarge } from './statements.ts'
import { type Known, type Moved, type NewKey, type Put, type Thing, takenBy } from './thing.ts'

/** The number of rows of each family, by outcome. */
export type Counts = ReadonlyMap<string, Readonly<Record<Counted, number>>>

type Counted = 'imported' | 'there already' | 'left out'

/** A `Known` that grows during the import. */
interface Knowing extends Known {
  readonly users: Map<string, string>
  readonly teams: Set<string>
  readonly members: Set<string>
  readonly boards: Set<string>
  readonly websites: Map<string, { readonly kind: string; readonly userId: string | null }>
  /** Teams of this run that do not have an owner yet. */
  readonly ownerless: Set<string>
}

/**
 * Imports users, teams, websites and all other metadata from the source. Each batch is small and can be repeated.
 * `show` receives each new key after it is stored; the key appears nowhere else.
 */
export async function movePeople(
  postgres: Postgres,
  place: Place,
  { wanted, now }: Pick<Known, 'wanted' | 'now'>,
  notes: Notes,
  show: (made: NewKey) => void,
): Promise<Counts> {
  const known: Knowing = {
    users: new Map(),
    teams: new Set(),
    members: new Set(),
    boards: new Set(),
    websites: new Map(),
    ownerless: new Set(),
    withTwoFactors: await usersWithTwoFactors(postgres),
    wanted,
    now,
  }
  const counts = new Map<string, Record<Counted, number>>()
  for (const family of families.filter((one) => hasFamily(postgres, one))) {
    const count = { imported: 0, 'there already': 0, 'left out': 0 }
    counts.set(family.name, count)
    for await (const rows of pagesOf(postgres, family)) {
      const moved = await Promise.all(rows.map(async (row) => ({ row, moved: small(await family.move(row, known)) })))
      const outcomes = await putAll(place, moved)
      notes.add(moved.flatMap((one) => notesOf(family, one.row, one.moved, outcomes, count)))
      for (const [thing, outcome] of outcomes) {
        remember(known, thing.put, outcome)
        if (thing.newKey && outcome === 'imported') show(thing.newKey)
      }
    }
    if (family.from === 'team_user') notes.add([...known.ownerless].map(saidOfOwnerless))
  }
  return counts
}

const saidOfOwnerless = (id: string): Noted => ({
  family: 'teams',
  id,
  remark: 'has no owner: only an admin can change it',
})

async function putAll(place: Place, moved: readonly { readonly moved: Moved }[]): Promise<Map<Thing, Outcome>> {
  const things = moved.flatMap((one) => ('things' in one.moved ? one.moved.things : []))
  const outcomes = things.length > 0 ? await place.put(things) : []
  return new Map(things.map((thing, at) => [thing, outcomes[at]!]))
}

const small = (moved: Moved): Moved =>
  'things' in moved && moved.things.some(isTooLarge) ? { leftOut: 'it is too large for D1' } : moved

/** Counts a row, and returns its notes. */
function notesOf(
  { name: family, id: columns }: Family,
  row: SourceRow,
  moved: Moved,
  outcomes: ReadonlyMap<Thing, Outcome>,
  count: Record<Counted, number>,
): Noted[] {
  const id = columns.map((name) => row[name]).join(' ')
  if ('leftOut' in moved) {
    count['left out']++
    return [{ family, id, reason: moved.leftOut, what: moved.detail }]
  }
  const notes: Noted[] = []
  for (const thing of moved.things) {
    const outcome = outcomes.get(thing)!
    if (outcome === 'taken') {
      count['left out']++
      const what = thing.put.values.slug ?? thing.put.values.username ?? thing.put.values.name
      notes.push({ family, id, reason: takenBy[thing.put.table as keyof typeof takenBy], what: what?.toString() })
    } else count[outcome === 'there already' ? outcome : 'imported']++
    if (outcome === 'imported otherwise') notes.push({ family, id, ...thing.otherwise!.said })
  }
  const isNew = moved.things.some((thing) => outcomes.get(thing)!.startsWith('imported'))
  return isNew ? [...notes, ...(moved.said ?? []).map((said) => ({ family, id, ...said }))] : notes
}

function remember(known: Knowing, { table, values }: Put, outcome: Outcome): void {
  if (outcome === 'taken') return
  const id = String(values.id)
  if (table === 'users') known.users.set(id, String(values.username))
  if (table === 'teams' || table === 'boards') known[table].add(id)
  if (table === 'teams' && outcome !== 'there already') known.ownerless.add(id)
  if (table === 'team_members') {
    known.members.add(`${values.team_id} ${values.user_id}`)
    if (values.role === 'team-owner') known.ownerless.delete(String(values.team_id))
  }
  if (table === 'websites') {
    known.websites.set(id, { kind: String(values.kind), userId: values.user_id as string | null })
  }
}
