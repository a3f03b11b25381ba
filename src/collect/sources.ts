import type { D1Database } from '@cloudflare/workers-types'
import { setNewest } from '../newest.ts'
import { unlessD1IsSilent } from '../silence.ts'

/** After this many milliseconds, an id is looked up in D1 again. */
const lasts = 10_000

/** A look-up fails if D1 does not answer within this time, in milliseconds. */
const lookPatience = 2000

/** How many existing ids, and how many missing ids, are remembered. */
const most = 10_000

/** The kinds of sources, by id. Ids without a source are absent or have no kind. */
type Kinds = ReadonlyMap<string, string | undefined>

interface Known {
  readonly kind: string | undefined
  readonly at: number
}

/** Caches which websites, links and pixels exist. Each is looked up in D1 at most once in ten seconds. */
export class Sources {
  readonly #database: D1Database
  readonly #there = new Map<string, Known>()
  /** Unknown ids are cached separately, so that made-up ids cannot evict existing ones. */
  readonly #missing = new Map<string, Known>()
  readonly #asked = new Map<string, Promise<Kinds>>()
  #generation = 0

  constructor(database: D1Database) {
    this.#database = database
  }

  /**
   * The kinds of the sources with these ids. If D1 cannot be read, uses the last known kinds, and throws for unknown
   * ids.
   */
  async look(ids: Iterable<string>, now: number): Promise<Kinds> {
    const wanted = [...new Set(ids)]
    const generation = this.#generation
    const isOld = (id: string) => !(now - (this.#known(id)?.at ?? Number.NEGATIVE_INFINITY) < lasts)
    const unasked = wanted.filter((id) => isOld(id) && !this.#asked.has(id))
    if (unasked.length > 0) {
      const asking = this.#ask(unasked, now)
      for (const id of unasked) this.#asked.set(id, asking)
    }
    const kinds = await Promise.all(wanted.map(async (id) => [id, await this.#kindOf(id)] as const))
    // If a source was created or deleted in the meantime, the ids are looked up again.
    return generation === this.#generation ? new Map(kinds) : this.look(wanted, now)
  }

  #known(id: string): Known | undefined {
    return this.#there.get(id) ?? this.#missing.get(id)
  }

  async #kindOf(id: string): Promise<string | undefined> {
    const [asked, known] = [this.#asked.get(id), this.#known(id)]
    if (!asked) return known?.kind
    return asked.then(
      (kinds) => kinds.get(id),
      (error: unknown) => {
        if (known) return known.kind
        throw error
      },
    )
  }

  async #ask(ids: readonly string[], now: number): Promise<Kinds> {
    const generation = this.#generation
    try {
      const asked = this.#database
        .prepare('SELECT id, kind FROM websites WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?1))')
        .bind(JSON.stringify(ids))
        .all<{ id: string; kind: string }>()
      const { results } = await unlessD1IsSilent(lookPatience, asked)
      const kinds = new Map(results.map(({ id, kind }) => [id, kind]))
      if (generation === this.#generation) for (const id of ids) this.#keep(id, { kind: kinds.get(id), at: now })
      return kinds
    } finally {
      if (generation === this.#generation) for (const id of ids) this.#asked.delete(id)
    }
  }

  #keep(id: string, known: Known): void {
    const [kept, other] = known.kind === undefined ? [this.#missing, this.#there] : [this.#there, this.#missing]
    other.delete(id)
    setNewest(kept, id, known, most)
  }

  /** Must be called after a source has been created or deleted. Discards results and look-ups in progress. */
  forget(): void {
    this.#generation++
    for (const kept of [this.#there, this.#missing, this.#asked]) kept.clear()
  }
}
