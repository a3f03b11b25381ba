/** Counts per website. Only websites that exist may be counted, so there are few entries. */
export class WebsiteCounts {
  readonly #counts = new Map<string, number>()

  add(websiteId: string, more: number): void {
    this.#counts.set(websiteId, (this.#counts.get(websiteId) ?? 0) + more)
  }

  /** The 100 websites with the highest counts. */
  most(): [websiteId: string, count: number][] {
    return [...this.#counts].sort(([, one], [, other]) => other - one).slice(0, 100)
  }
}

/** The sums of counts with the same name. */
export function sumByName(counts: readonly (readonly [name: string, count: number])[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count)
  return sums
}
