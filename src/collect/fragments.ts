import { leavesRoom } from './table.ts'

/** One piece of an event's JSON. Umami's recorders split events that are too large for one request. */
export interface Piece {
  readonly id: string
  /** Starts at 0. */
  readonly index: number
  readonly total: number
  readonly value: string
}

/** The type of an event that contains a piece. */
const fragmentType = 'umami:rrweb-event-fragment'

/** The maximum number of characters in an event that arrives in pieces. */
const longestWhole = 5_000_000

/**
 * The maximum number of characters in unfinished events: per visit and in total. A website gets a fair share of the
 * total.
 */
const longestOfVisit = 10_000_000
const longestAll = 30_000_000

/** The maximum number of pieces per event, and of unfinished events: per visit, per website, and in total. */
const mostPieces = 1000
const mostOfVisit = 20
const mostOfWebsite = 200
const mostOfAll = 1000

/** How long an unfinished event waits for its missing pieces, in milliseconds. */
const lasts = 60_000

/** The piece in a parsed event; `broken` if the piece is malformed; undefined for any other event. */
export function pieceIn(event: Readonly<Record<string, unknown>>): Piece | 'broken' | undefined {
  if (event.type !== fragmentType) return undefined
  const { id, index, total, value } = (event.data ?? {}) as Readonly<Record<string, unknown>>
  const isPiece =
    typeof id === 'string' &&
    id.length <= 200 &&
    typeof value === 'string' &&
    Number.isInteger(index) &&
    Number.isInteger(total) &&
    (index as number) >= 0 &&
    (index as number) < (total as number) &&
    (total as number) <= mostPieces
  return isPiece ? { id, index: index as number, total: total as number, value } : 'broken'
}

/** The sender of a piece. */
interface PieceSource {
  readonly websiteId: string
  readonly visitId: string
}

interface Open extends PieceSource {
  readonly pieces: Map<number, string>
  readonly total: number
  /** When its first piece arrived, or its last piece was refused, in milliseconds. */
  at: number
  /** The number of characters in its pieces. */
  length: number
}

const nameOf = (visitId: string, id: string): string => `${visitId} ${id}`

const charactersOf = (all: readonly Open[]): number => all.reduce((sum, { length }) => sum + length, 0)

/**
 * Assembles events from their pieces, in memory only: a single piece cannot be masked, so pieces are never stored.
 * Events with missing pieces are dropped.
 */
export class Fragments {
  readonly #open = new Map<string, Open>()
  /** The events that the current request has completed. */
  readonly #completed = new Map<string, Open>()
  dropped = 0

  /** Whether there is room for these pieces. `now` is in milliseconds. */
  hasRoom(websiteId: string, pieces: readonly Piece[], now: number): boolean {
    this.dropOld(now)
    const length = pieces.reduce((sum, { value }) => sum + value.length, 0)
    const all = [...this.#open.values()]
    const own = all.filter((open) => open.websiteId === websiteId)
    const others = all.length - own.length
    const [ownLength, allLength] = [charactersOf(own), charactersOf(all)]
    return (
      own.length + pieces.length <= mostOfWebsite &&
      leavesRoom(own.length + pieces.length, others, mostOfAll) &&
      leavesRoom(ownLength + length, allLength - ownLength, longestAll)
    )
  }

  /** Adds a piece. Returns the text of the event once all of its pieces have arrived. */
  add({ websiteId, visitId }: PieceSource, { id, index, total, value }: Piece, now: number): string | undefined {
    const name = nameOf(visitId, id)
    const known = this.#open.get(name)
    const open = known ?? { websiteId, visitId, pieces: new Map<number, string>(), total, at: now, length: 0 }
    const isKnown = open.pieces.has(index)
    if (open.total !== total || (!isKnown && open.length + value.length > longestWhole)) {
      this.#drop(name)
      return undefined
    }
    this.#open.set(name, open)
    if (!isKnown) {
      open.pieces.set(index, value)
      open.length += value.length
    }
    if (open.pieces.size < total) {
      this.#makeRoom(visitId)
      return undefined
    }
    this.#open.delete(name)
    this.#completed.set(name, open)
    return Array.from({ length: total }, (_, place) => open.pieces.get(place)!).join('')
  }

  /** Ends a request. No piece of the events that it completed is needed again. */
  end(): void {
    this.#completed.clear()
  }

  /** Ends a request that is to be repeated. The other pieces of its events wait for those of the request. */
  reopen({ visitId }: PieceSource, pieces: readonly Piece[], now: number): void {
    for (const { id, index } of pieces) this.#completed.get(nameOf(visitId, id))?.pieces.delete(index)
    for (const [name, open] of this.#completed) {
      open.at = now
      open.length = [...open.pieces.values()].reduce((sum, value) => sum + value.length, 0)
      if (open.pieces.size > 0) this.#open.set(name, open)
    }
    this.end()
  }

  dropOld(now: number): void {
    for (const [name, open] of this.#open) if (now - open.at > lasts) this.#drop(name)
  }

  /** Drops a visit's oldest events to make room for newer ones. */
  #makeRoom(visitId: string): void {
    const own = [...this.#open].filter(([, open]) => open.visitId === visitId)
    let [count, length] = [own.length, charactersOf(own.map(([, open]) => open))]
    for (const [name, open] of own) {
      if (count <= mostOfVisit && length <= longestOfVisit) return
      this.#drop(name)
      count--
      length -= open.length
    }
  }

  #drop(name: string): void {
    this.dropped++
    this.#open.delete(name)
  }
}
