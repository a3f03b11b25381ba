import { type Delivery, Waiting } from './delivery.ts'
import {
  type Destination,
  type EntryTable,
  insertHeartbeat,
  knowsTokensSince,
  RefusedRows,
  RefusedTable,
  type WriteServer,
} from './insert.ts'
import { joined, linesIn } from './lines.ts'
import type { Packed } from './packed.ts'
import type { Commit, CommitJson } from './store.ts'

/** Milliseconds after which ClickHouse may no longer know a token: it forgets one after 10,000 blocks. */
const tokenLasts = 600_000

/** Commits that go to ClickHouse together, or went. Its commits have numbers that follow each other. */
export interface Flush {
  /**
   * The token of its inserts: ClickHouse counts them once. It is in each commit, so it outlives the object. At its end
   * is the last commit that ClickHouse had before.
   */
  readonly token: string
  readonly first: number
  last: number
  rows: number
  bytes: number
  /** The first arrival, by the steady clock. */
  readonly at: number
  readonly bytesBySource: Map<string, number>
  /** Whether it may have been sent before, so that ClickHouse may have some of it. */
  isRepeated: boolean
}

export const newFlush = (token: string, { id, at }: Pick<Commit, 'id' | 'at'>, isRepeated: boolean): Flush => ({
  ...{ token, first: id, last: id, rows: 0, bytes: 0, at, isRepeated },
  bytesBySource: new Map(),
})

/**
 * The last commit that ClickHouse had when a flush with this token began. Tokens of older versions do not contain it.
 */
export const storedBefore = (token: string): number => Number(/^.{36}-\d+-(\d+)$/.exec(token)?.[1] ?? 0)

/** Adds a commit to a flush. */
export function extend(flush: Flush, id: number, packed: Packed): void {
  flush.last = id
  flush.rows += packed.count
  for (const start of packed.starts()) {
    const [sourceId, bytes] = [packed.sourceId(start), packed.bytes(start)]
    flush.bytes += bytes
    flush.bytesBySource.set(sourceId, (flush.bytesBySource.get(sourceId) ?? 0) + bytes)
  }
}

/** Carries one flush to its tables. */
export class Carrier {
  readonly #destination: Destination
  readonly #server: WriteServer
  readonly #delivery: Delivery

  constructor(destination: Destination, server: WriteServer, delivery: Delivery) {
    this.#destination = destination
    this.#server = server
    this.#delivery = delivery
  }

  /**
   * Inserts the rows of these commits, which are a flush. Throws `Waiting` if ClickHouse refuses some, once those of
   * the other table are there. `takesOthers`: of a flush that was refused, finds the rows that are wrong; whether
   * ClickHouse has taken others of a table since.
   */
  async carry(
    flush: Flush,
    commits: readonly CommitJson[],
    takesOthers?: (table: EntryTable) => boolean,
  ): Promise<void> {
    const { isRepeated } = flush
    const age = this.#server.clock.steady() - flush.at
    const since = this.#server.clock.wall() - age
    // A ClickHouse that the log moved to has seen none of its tokens.
    const isForeign = isRepeated && since < (this.#server.tokensSince ?? 0)
    const isOld = isForeign || (isRepeated && (age < 0 || age > tokenLasts))
    flush.isRepeated = true
    const waiting: Waiting[] = []
    for (const [place, column] of (['events', 'calls'] as const).entries()) {
      const parts = commits.flatMap((commit) => commit[column] ?? [])
      if (parts.length === 0) continue
      const table = this.#destination.tables[place]!
      const portion = { table, lines: linesIn(joined(parts)), token: `${flush.token}-${column[0]}`, isRepeated }
      const isForgotten = isOld && (isForeign || !(table === 'ingest' && (await knowsTokensSince(this.#server, since))))
      // A part of what was refused may have passed, under a token of its own.
      const mayHaveSome = isForgotten || takesOthers !== undefined
      const proven = takesOthers?.(table)
      const delivered = mayHaveSome
        ? this.#delivery.deliverOld(portion, proven)
        : this.#delivery.deliver(portion, proven)
      await delivered.catch((error: unknown) => void waiting.push(waitingFor(table, error)))
    }
    if (waiting[0]) throw waiting[0]
    if (this.#destination.beats) await this.#beat()
  }

  /** Without a right to beat, rows are stored all the same. */
  async #beat(): Promise<void> {
    await insertHeartbeat(this.#server).catch((error: unknown) => {
      if (!(error instanceof RefusedTable || error instanceof RefusedRows)) throw error
      this.#delivery.tell('heartbeat', error.message.slice(0, 300))
    })
  }
}

/** Why rows of this table wait; throws what stops the others, too. */
function waitingFor(table: EntryTable, error: unknown): Waiting {
  if (error instanceof Waiting) return error
  if (error instanceof RefusedTable) return new Waiting(error.message, table)
  throw error
}
