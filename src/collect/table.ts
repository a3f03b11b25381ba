/**
 * Tables from UUIDs to a few numbers, in typed arrays: a million entries take some 50 MB as objects of a `Map`, and the
 * whole isolate has 128.
 */

/** A hash of a UUID, or of two, as two words of 32 bits. Never both 0. */
type Key = readonly [number, number]

/** Open addressing with linear probing. Entries are never deleted one by one. */
class WordTable {
  #capacity = 1024
  #keys = new Uint32Array(2 * this.#capacity)
  #values: Uint32Array
  size = 0

  constructor(readonly width: number) {
    this.#values = new Uint32Array(width * this.#capacity)
  }

  get([high, low]: Key): Uint32Array | undefined {
    const slot = this.#slotOf(high, low)
    return this.#isEmpty(slot) ? undefined : this.#values.subarray(slot * this.width, (slot + 1) * this.width)
  }

  set([high, low]: Key, value: ArrayLike<number>): void {
    if (this.size >= this.#capacity / 2) this.#grow()
    const slot = this.#slotOf(high, low)
    if (this.#isEmpty(slot)) this.size++
    this.#keys[2 * slot] = high
    this.#keys[2 * slot + 1] = low
    this.#values.set(value, slot * this.width)
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

/** Keeps each entry for at least `lasts` milliseconds, or until `most` newer ones have come. */
export class RecentTable {
  #young: WordTable
  #old: WordTable
  #since = Number.NEGATIVE_INFINITY

  /** `width`: how many words of 32 bits an entry has. */
  constructor(
    readonly width: number,
    readonly lasts: number,
    readonly most: number,
  ) {
    this.#young = new WordTable(width)
    this.#old = new WordTable(width)
  }

  /** The entry, to be read at once. */
  get(key: Key): Uint32Array | undefined {
    return this.#young.get(key) ?? this.#old.get(key)
  }

  set(key: Key, value: ArrayLike<number>, now: number): void {
    if (now - this.#since >= this.lasts || this.#young.size >= this.most) {
      this.#old = this.#young
      this.#young = new WordTable(this.width)
      this.#since = now
    }
    this.#young.set(key, value)
  }
}

/** Two random words. Who does not know them cannot choose UUIDs that fall into one place of a table. */
export type Seed = readonly [number, number]

/** The key of some words. */
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
