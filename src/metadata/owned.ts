import type { Store } from './store.ts'

/** A user or a team, or the operator if both are null. */
interface Owner {
  readonly userId: string | null
  readonly teamId: string | null
}

/**
 * For each limited kind, selects an owner's rows. A segment, annotation, report or share belongs to the owner of its
 * website or board.
 */
const rowsOf = {
  board: (whose: string) => `boards WHERE ${whose}`,
  'API key': (whose: string) => `api_keys WHERE ${whose}`,
  link: (whose: string) => `websites WHERE kind = 'link' AND deleted_at IS NULL AND ${whose}`,
  pixel: (whose: string) => `websites WHERE kind = 'pixel' AND deleted_at IS NULL AND ${whose}`,
  website: (whose: string) => `websites WHERE kind = 'website' AND deleted_at IS NULL AND ${whose}`,
  segment: (whose: string) => `segments WHERE website_id IN (${websitesOf(whose)})`,
  annotation: (whose: string) => `annotations WHERE website_id IN (${websitesOf(whose)})`,
  'saved report': (whose: string) => `reports WHERE website_id IN (${websitesOf(whose)})`,
  share: (whose: string) =>
    `shares WHERE website_id IN (${websitesOf(whose)} UNION ALL SELECT id FROM boards WHERE ${whose})`,
} as const

const websitesOf = (whose: string): string => `SELECT id FROM websites WHERE deleted_at IS NULL AND ${whose}`

type Bounded = keyof typeof rowsOf

/** The maximum number of objects of a kind that an owner may have; null means no limit. */
export type Most = number | null

/** The owner has reached the limit set by `MOST_OWNED` for a kind. */
export class TooManyOwnedError extends Error {
  readonly of: Bounded
  readonly most: number

  constructor(of: Bounded, most: number) {
    super(`The owner has reached the limit for ${of}: ${most}.`)
    this.of = of
    this.most = most
  }
}

/** The limit on an owner's objects of one kind. */
export interface Room {
  /** A condition for the insert. It reads `values` from this parameter, such as `?7`, which must be the last one. */
  readonly left: (slot: string) => string
  readonly values: readonly string[]
  /** Whether the limit is reached. If not, an insert failed for another reason. */
  readonly isFull: (store: Store) => Promise<boolean>
  readonly refusal: () => TooManyOwnedError
}

export function roomOf(of: Bounded, { userId, teamId }: Owner, most: Most): Room {
  const refusal = () => new TooManyOwnedError(of, most ?? 0)
  if (most === null) return { left: () => 'TRUE', values: [], isFull: async () => false, refusal }
  // With conditions of another form, SQLite could not use its indexes.
  const whose = (slot: string): string =>
    userId !== null
      ? `user_id = ${slot} ->> 'owner'`
      : teamId !== null
        ? `team_id = ${slot} ->> 'owner'`
        : 'user_id IS NULL AND team_id IS NULL'
  const left = (slot: string): string =>
    `(SELECT count(*) FROM (SELECT 1 FROM ${rowsOf[of](whose(slot))} LIMIT ${slot} ->> 'most')) < ${slot} ->> 'most'`
  const value = JSON.stringify({ owner: userId ?? teamId, most })
  return {
    left,
    values: [value],
    isFull: async (store) => !(await store.first(`SELECT 1 WHERE ${left('?1')}`, value)),
    refusal,
  }
}
