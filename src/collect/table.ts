/**
 * Maps UUIDs to a few numbers, in typed arrays. As objects in a `Map`, a million entries would take about 50 of the
 * isolate's 128 MB.
 */

/** A hash of a UUID, or of two, as two 32-bit words, which are never both 0. */
type Key = readonly [number, number]

/** The maximum load factor. A lower one costs memory, a higher one time. */
const fullest = 0.75

/** A hash table with open addressing and linear probing. Entries are never deleted individually. */
class WordTable {
  #capacity = 1024
  #keys = new Uint32Array(2 * this.#capacity)
  #values: Uint32Array
  /** How many entries each owner (`sharer`) has. */
  readonly #shares = new Map<number, number>()
  size = 0

  /** `since`: when the table received its first entry, in milliseconds. */
  constructor(
    readonly width: number,
    readonly since: number,
  ) {
    this.#values = new Uint32Array(width * this.#capacity)
  }

  get([high, low]: Key): Uint32Array | undefined {
    const slot = this.#slotOf(high, low)
    return this.#isEmpty(slot) ? undefined : this.#values.subarray(slot * this.width, (slot + 1) * this.width)
  }

  /**
   * Sets an entry that belongs to `sharer`. There is room for `most` entries. A new one is dropped if its sharer
   * already uses half of the room that the other sharers leave.
   */
  set([high, low]: Key, value: ArrayLike<number>, sharer?: number, most = 0): void {
    if (this.size >= fullest * this.#capacity) this.#grow()
    const slot = this.#slotOf(high, low)
    if (this.#isEmpty(slot)) {
      if (sharer !== undefined && !this.#takesRoom(sharer, most)) return
      this.size++
    }
    this.#keys[2 * slot] = high
    this.#keys[2 * slot + 1] = low
    this.#values.set(value, slot * this.width)
  }

  #takesRoom(sharer: number, most: number): boolean {
    const own = this.#shares.get(sharer) ?? 0
    if (!leavesRoom(own + 1, this.size - own, most)) return false
    this.#shares.set(sharer, own + 1)
    return true
  }

  #isEmpty(slot: number): boolean {
    return this.#keys[2 * slot] === 0 && this.#keys[2 * slot + 1] === 0
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#capacity - 1
    let slot = low & mask
    while (!this.#isEmpty(slot) && (this.#keys[2 * slot] !== high || this.#keys[2 * slot + 1] !== low)) {
      slot = (slot + 1) & mask
    }
    return slot
  }

  #grow(): void {
    const [keys, values, slots] = [this.#keys, this.#values, this.#capacity]
    this.#capacity *= 2
    this.#keys = new Uint32Array(2 * this.#capacity)
    this.#values = new Uint32Array(this.width * this.#capacity)
    this.size = 0
    for (let slot = 0; slot < slots; slot++) {
      const [high, low] = [keys[2 * slot]!, keys[2 * slot + 1]!]
      if (high !== 0 || low !== 0) this.set([high, low], values.subarray(slot * this.width, (slot + 1) * this.width))
    }
  }
}

/**
 * Keeps each entry for at least `lasts` milliseconds, or until `most` newer ones have been added. Older entries are
 * dropped one part at a time.
 */
export class RecentTable {
  /** Newest first. */
  readonly #tables: WordTable[] = []

  /**
   * `width`: the number of 32-bit words per entry. `parts`: the number of tables over which the newest `most` entries
   * are spread. With more tables, fewer old entries are kept. An entry that is set again may be in several tables, so
   * use one part for such entries.
   */
  constructor(
    readonly width: number,
    readonly lasts: number,
    readonly most: number,
    readonly parts = 1,
  ) {}

  /** Returns the entry, which must be read before the table changes. */
  get(key: Key): Uint32Array | undefined {
    for (const table of this.#tables) {
      const found = table.get(key)
      if (found) return found
    }
    return undefined
  }

  /**
   * `sharer`: the number of the entry's owner, so that no owner takes up all the room. Without it, all entries share
   * the room.
   */
  set(key: Key, value: ArrayLike<number>, now: number, sharer?: number): void {
    let young = this.#tables[0]
    if (!young || young.size >= this.most / this.parts || now - young.since >= this.lasts / this.parts) {
      young = new WordTable(this.width, now)
      this.#tables.unshift(young)
      this.#forget(now)
    }
    young.set(key, value, sharer, this.most / this.parts)
  }

  /** Drops each table whose entries are all too old or are followed by at least `most` newer ones. */
  #forget(now: number): void {
    let newer = 0
    const first = this.#tables.findIndex(({ size }, index) => {
      const after = this.#tables[index - 1]
      const isOver = newer >= this.most || (after !== undefined && now - after.since >= this.lasts)
      newer += size
      return isOver
    })
    if (first > 0) this.#tables.length = first
  }
}

/**
 * Whether `own` is at most half of `most` minus the entries of others. A single sharer gets half; two get a third each.
 */
export const leavesRoom = (own: number, ofOthers: number, most: number): boolean => 2 * own <= most - ofOthers

/** Two random words. Attackers who do not know them cannot choose UUIDs that collide in a table. */
type Seed = readonly [number, number]

export function newSeed(): Seed {
  const [first, second] = crypto.getRandomValues(new Uint32Array(2))
  return [first!, second!]
}

/** Computes the key for these words. */
export function keyOf([first, second]: Seed, words: ArrayLike<number>, start = 0, length = words.length): Key {
  let [high, low] = [first, second]
  for (let index = start; index < start + length; index++) {
    const word = words[index]!
    high = Math.imul(high ^ word, 0xcc9e2d51)
    high = ((high << 13) | (high >>> 19)) + low
    low = Math.imul((low + word) ^ (high >>> 15), 0x1b873593)
    low ^= low >>> 16
  }
  return [high >>> 0, low >>> 0 || 1]
}
