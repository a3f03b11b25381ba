import type { Reason, Remark } from './thing.ts'

/** A row that was left out, or that has a remark. */
export interface Noted {
  readonly family: string
  readonly id: string
  readonly reason?: Reason
  readonly remark?: Remark
  /** The subject of the note: a name, or the part that cannot be imported. */
  readonly what?: string | undefined
}

/** Notes of one kind. */
interface Group {
  count: number
  readonly named: string[]
}

/** How many notes of one kind are listed. */
const mostNamed = 20

/**
 * Notes, grouped by kind. Each note goes to `write` as a line of JSON; only the first ones of a kind stay in memory.
 */
export class Notes {
  readonly groups = new Map<string, Group>()
  readonly #write: (lines: string) => void

  constructor(write: (lines: string) => void) {
    this.#write = write
  }

  add(notes: readonly Noted[]): void {
    for (const { family, id, reason, remark, what = id } of notes) {
      const name = reason ? `${family} left out, ${reason}` : `${family}, ${remark}`
      const group = this.groups.get(name) ?? { count: 0, named: [] }
      this.groups.set(name, group)
      group.count++
      if (group.named.length < mostNamed && reason !== 'it is deleted in Umami') group.named.push(what)
    }
    if (notes.length > 0) this.#write(notes.map((note) => `${JSON.stringify(note)}\n`).join(''))
  }
}
