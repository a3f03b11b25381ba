/** A piece of the JSON text of an event that was too large for one request: recorders of Umami send such. */
export interface Piece {
  readonly id: string
  /** From 0. */
  readonly index: number
  readonly total: number
  readonly value: string
}

/** The type of the event that holds a piece. */
const fragmentType = 'umami:rrweb-event-fragment'

/** The most characters of an event in pieces, and of all that are open. */
const longestWhole = 5_000_000
const longestAll = 30_000_000

/** The most pieces of an event, and the most events that are open. */
const mostPieces = 1000
const mostOpen = 20

/** Pieces wait this many milliseconds for the others. */
const lasts = 60_000

/** The piece that a parsed event holds; undefined for any other event, `broken` for a piece that cannot be one. */
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

interface Open {
  readonly pieces: Map<number, string>
  readonly total: number
  readonly at: number
  length: number
}

/**
 * Puts the pieces of events together, in memory alone: a piece cannot be masked, so it is never written down. An event
 * of which a piece is missing is dropped.
 */
export class Fragments {
  readonly #open = new Map<string, Open>()
  #length = 0
  dropped = 0

  /** The text of the event, once all of its pieces are there. `now` in milliseconds. */
  add(visit: string, { id, index, total, value }: Piece, now: number): string | undefined {
    this.dropOld(now)
    const name = `${visit} ${id}`
    const known = this.#open.get(name)
    const open = known ?? { pieces: new Map<number, string>(), total, at: now, length: 0 }
    if (open.total !== total || open.length + value.length > longestWhole) {
      this.#drop(name, known)
      if (!known) this.dropped++
      return undefined
    }
    if (!known) this.#open.set(name, open)
    if (!open.pieces.has(index)) {
      open.pieces.set(index, value)
      open.length += value.length
      this.#length += value.length
    }
    if (open.pieces.size === total) {
      this.#close(name, open)
      return Array.from({ length: total }, (_, place) => open.pieces.get(place)!).join('')
    }
    // The oldest make room.
    for (const [oldest, one] of this.#open) {
      if (this.#open.size <= mostOpen && this.#length <= longestAll) break
      this.#drop(oldest, one)
    }
    return undefined
  }

  dropOld(now: number): void {
    for (const [name, open] of this.#open) if (now - open.at > lasts) this.#drop(name, open)
  }

  #drop(name: string, open: Open | undefined): void {
    if (!open) return
    this.dropped++
    this.#close(name, open)
  }

  #close(name: string, open: Open): void {
    this.#open.delete(name)
    this.#length -= open.length
  }
}
