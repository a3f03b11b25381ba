/** Random numbers that can be reproduced from a seed. */
export interface Random {
  /** An integer from 0 up to, but not including, `below`. */
  whole(below: number): number
  /** Returns true with this probability. */
  chance(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  id(): string
}

/** The Mulberry32 generator. */
export function random(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const whole = (below: number): number => Math.floor(next() * below)
  const digits = (length: number): string => Array.from({ length }, () => whole(16).toString(16)).join('')
  return {
    whole,
    chance: (probability) => next() < probability,
    pick: (items) => items[whole(items.length)]!,
    id: () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`,
  }
}
