import { type Delivery, Waiting } from './delivery.ts'
import {
  type Destination,
  type EntryTable,
  insertHeartbeat,
  insertTokenLasts,
  knowsTokensSince,
  RefusedRows,
  RefusedTable,
  type WriteServer,
} from './insert.ts'
import { joined, linesIn } from './lines.ts'
import type { Packed } from './packed.ts'
import type { Commit, CommitJson } from './store.ts'

/** Commits that are sent, or were sent, to ClickHouse together. Their numbers are consecutive. */
export interface Flush {
  /**
   * The token of its inserts, by which ClickHouse recognises repeats. It is stored with each commit, so it outlives the
   * object. It ends with the number of the last commit that ClickHouse already had.
   */
  readonly token: string
  readonly first: number
  last: number
  rows: number
  bytes: number
  /** When the first commit arrived, by the steady clock. */
  readonly at: number
  readonly bytesBySource: Map<string, number>
  /** Whether the flush may have been sent before, so that ClickHouse may already have some of it. */
  isRepeated: boolean
}

export const newFlush = (token: string, { id, at }: Pick<Commit, 'id' | 'at'>, isRepeated: boolean): Flush => ({
  ...{ token, first: id, last: id, rows: 0, bytes: 0, at, isRepeated },
  bytesBySource: new Map(),
})

/** The last commit that ClickHouse had when a flush with this token began; 0 for an empty token. */
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

/** Inserts a flush's rows into their tables. */
export class Carrier {
  readonly #destination: Destination
  readonly #server: WriteServer
  readonly #delivery: Delivery
  /** Whether ClickHouse refused the last heartbeat. */
  #isBeatRefused = false

  constructor(destination: Destination, server: WriteServer, delivery: Delivery) {
    this.#destination = destination
    this.#server = server
    this.#delivery = delivery
  }

  /**
   * Inserts a flush's rows. If ClickHouse refuses some, throws `Waiting` after inserting the rows of the other table.
   * Pass `takesOthers` to retry a refused flush and find its invalid rows; it returns whether ClickHouse has since
   * accepted other rows for a table.
   */
  async carry(
    flush: Flush,
    commits: readonly CommitJson[],
    takesOthers?: (table: EntryTable) => boolean,
  ): Promise<void> {
    const { isRepeated } = flush
    const age = this.#server.clock.steady() - flush.at
    const since = this.#server.clock.wall() - age
    // After a move to another ClickHouse server, the new server does not know the log's older tokens.
    const isForeign = isRepeated && since < (this.#server.tokensSince ?? 0)
    const isOld = isForeign || (isRepeated && (age < 0 || age > insertTokenLasts))
    flush.isRepeated = true
    const waiting: Waiting[] = []
    for (const [place, column] of (['events', 'calls'] as const).entries()) {
      const parts = commits.flatMap((commit) => commit[column] ?? [])
      if (parts.length === 0) continue
      const table = this.#destination.tables[place]!
      const portion = { table, lines: linesIn(joined(parts)), token: `${flush.token}-${column[0]}`, isRepeated }
      const isForgotten = isOld && (isForeign || !(table === 'ingest' && (await knowsTokensSince(this.#server, since))))
      // Some of the refused rows may have been inserted with another token.
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

  /** Rows are stored even if ClickHouse refuses heartbeats, as a front with several shards does. */
  async #beat(): Promise<void> {
    const refusal = await insertHeartbeat(this.#server).then(
      () => undefined,
      (error: unknown) => {
        if (error instanceof RefusedTable || error instanceof RefusedRows) return error
        throw error
      },
    )
    if (refusal && !this.#isBeatRefused) this.#delivery.tell('heartbeat', refusal.message.slice(0, 300))
    this.#isBeatRefused = refusal !== undefined
  }
}

/** Why rows for this table are waiting. Rethrows errors that stop all tables. */
function waitingFor(table: EntryTable, error: unknown): Waiting {
  if (error instanceof Waiting) return error
  if (error instanceof RefusedTable) return new Waiting(error.message, table)
  throw error
}
