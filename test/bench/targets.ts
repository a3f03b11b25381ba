import type { AccessCost, AccessFindings, ColdCost } from './access.ts'
import type { Cell, Scan } from './measure.ts'
import type { Memory } from './memory.ts'

/** Something to reach, and whether it was. */
export interface Target {
  readonly what: string
  readonly isMet: boolean
}

/** A Worker may take this many times the direct call, or this many milliseconds more, whichever is longer. */
const mostRatio = 1.3
const mostMore = 3

/** A first page may read less than this share of its website's rows, in %. */
const mostShare = 2

/** A lookup by id may read fewer rows than this. */
const mostLookup = 100_000

/** A request may take this many times the same request without its access check. */
const mostAccessRatio = 1.05

/** A request with a credential that is new may wait for this many more round trips to D1. */
const mostMoreTrips = 1

export const isCheapCheck = ({ checked, unchecked }: AccessCost): boolean => checked <= mostAccessRatio * unchecked

export const isShortCheck = ({ checked, unchecked }: ColdCost): boolean => checked - unchecked <= mostMoreTrips

export const isQuick = ({ worker, direct }: Cell): boolean => worker <= Math.max(mostRatio * direct, direct + mostMore)

/** How much of its website a page reads, in %. */
export const share = ({ read }: Cell, websiteRows: number): number => (100 * read.rows) / websiteRows

export function targets(
  cells: readonly Cell[],
  websiteRows: number,
  lookup: Scan,
  memory: Memory | undefined,
  access: AccessFindings | undefined,
): Target[] {
  return [
    ...cells.map((cell) => ({ what: `overhead of ${nameOf(cell)}`, isMet: isQuick(cell) })),
    ...cells
      .filter(({ isPaged }) => isPaged)
      .map((cell) => ({ what: `rows read by page 1 of ${nameOf(cell)}`, isMet: share(cell, websiteRows) < mostShare })),
    { what: 'rows read by event-data/:eventId', isMet: lookup.rows < mostLookup },
    ...(access?.warm ?? []).map((cost) => ({
      what: `access check of ${cost.credential}, ${nameOf(cost)}`,
      isMet: isCheapCheck(cost),
    })),
    ...(access?.cold ?? []).map((cost) => ({
      what: `round trips of the access check of ${cost.credential}`,
      isMet: isShortCheck(cost),
    })),
    ...(memory ? [{ what: 'memory of the Worker stays flat', isMet: memory.isFlat }] : []),
  ]
}

const nameOf = ({ endpoint, range }: Pick<Cell, 'endpoint' | 'range'>): string => `${endpoint} over ${range}`
