import type { D1Database } from '@cloudflare/workers-types'
import { withoutQuoted } from '../clickhouse/masked.ts'
import { dayLength } from '../request/time-zone.ts'
import { sha256 } from '../sha256.ts'
import { type EntryTable, insertRows, notStored, RefusedRows, type WriteServer } from './insert.ts'
import { bytesOf } from './lines.ts'
import { timeText } from './row.ts'
import { type RefusedRow, setAside } from './set-aside.ts'

/** Rows for one table, with the token by which ClickHouse recognises a repeated insert. */
interface Portion {
  readonly table: EntryTable
  readonly lines: readonly string[]
  readonly token: string
  /** Whether ClickHouse may already have these rows. */
  readonly isRepeated: boolean
}

/** The default: no website lacks room for refused rows. */
export const noneFull: ReadonlySet<string> = new Set()

/** The refusal of each portion, by token; undefined if ClickHouse accepted the portion. */
type Tried = Map<string, RefusedRows | undefined>

interface Found {
  readonly refused: RefusedRow[]
  readonly tried: Tried
}

/**
 * Why rows are waiting: ClickHouse refuses all of them, or there is no room to set aside the refused rows of some
 * websites.
 */
export class Waiting extends Error {
  constructor(
    message: string,
    readonly table: EntryTable,
    readonly full = noneFull,
  ) {
    super(message)
  }
}

/** How many rows, evenly spread over the portion, are tried before all of its rows are considered refused. */
const samples = 32

/** The fractional parts of this number's multiples are spread evenly from 0 to 1. */
const goldenRatio = 0.618

/** Inserts each row into ClickHouse once, no matter how often it is sent. */
export class Delivery {
  readonly #server: WriteServer
  readonly #database: D1Database
  #setAsideRows = 0
  /** How many inserts into each table have succeeded. */
  readonly #passed = new Map<EntryTable, number>()
  /** How many deliveries into each table ClickHouse has refused since the last delivery that succeeded. */
  readonly #refusals = new Map<EntryTable, number>()

  constructor(server: WriteServer, database: D1Database) {
    this.#server = server
    this.#database = database
  }

  /** How many rows have been set aside. */
  get setAsideRows(): number {
    return this.#setAsideRows
  }

  /** How many inserts into each table have succeeded up to now. */
  passes(): (table: EntryTable) => number {
    const counts = new Map(this.#passed)
    return (table) => counts.get(table) ?? 0
  }

  /**
   * Inserts those rows that ClickHouse lacks. If the first insert only reached some of the tables, the tables differ
   * from then on; `weir check` reports this.
   */
  async deliverOld(portion: Portion, takesOthers: boolean | undefined): Promise<void> {
    const missing = await notStored(this.#server, portion.table, portion.lines)
    if (missing.length === portion.lines.length) return this.deliver(portion, takesOthers)
    if (missing.length === 0) return
    const token = `${portion.token}-${await sha256(bytesOf(missing))}`
    // Some rows of a refused portion were accepted.
    await this.deliver({ ...portion, lines: missing, token }, takesOthers === undefined ? undefined : true)
  }

  /**
   * Inserts rows. If ClickHouse refuses some and `takesOthers` is undefined, throws `Waiting`. Otherwise, if ClickHouse
   * has accepted other rows since then (`takesOthers`) or accepts some of these, bisects to find the invalid rows and
   * sets them aside. If it has not, also throws `Waiting`, because the fault may lie with a clock, the table or a
   * privilege rather than with the rows.
   */
  async deliver(portion: Portion, takesOthers: boolean | undefined): Promise<void> {
    const refusal = await this.#refusalOf(portion)
    if (!refusal) return
    const { table } = portion
    if (takesOthers === undefined) throw new Waiting(refusal.message, table)
    const dated = await datedNow(portion, this.#server.clock.wall())
    if (dated.length > 0) {
      for (const part of dated) await this.deliver(part, takesOthers)
      return
    }
    const tried: Tried = new Map()
    if (!takesOthers && !(await this.#takesSome(portion, tried))) {
      this.#refusals.set(table, this.#refusalsOf(table) + 1)
      throw new Waiting(refusal.message, table)
    }
    const refused: RefusedRow[] = []
    await this.#split(portion, refusal, { refused, tried })
    if (refused.length > 0) await this.#setAside(table, refused)
  }

  /** Inserts rows. Returns the refusal if ClickHouse refuses them. */
  async #refusalOf(portion: Portion): Promise<RefusedRows | undefined> {
    const { table, lines, token, isRepeated } = portion
    try {
      await insertRows(this.#server, table, bytesOf(lines), token)
    } catch (error) {
      if (error instanceof RefusedRows) return error
      throw error
    }
    this.#passed.set(table, (this.#passed.get(table) ?? 0) + 1)
    this.#refusals.delete(table)
    if (isRepeated) await this.#makeSure(table, lines, token)
    return undefined
  }

  #refusalsOf(table: EntryTable): number {
    return this.#refusals.get(table) ?? 0
  }

  /**
   * Whether ClickHouse accepts any of these rows. Tries smaller and smaller parts around each of several evenly spread
   * rows; around only one row while ClickHouse refuses everything.
   */
  async #takesSome(whole: Portion, tried: Tried): Promise<boolean> {
    const [count, refusals] = [whole.lines.length, this.#refusalsOf(whole.table)]
    const step = Math.max(1, (count - 1) / (samples - 1))
    const spread = Array.from({ length: Math.min(count, samples) }, (_, sample) => Math.round(sample * step))
    const places = refusals === 0 ? spread : [Math.floor(((refusals * goldenRatio) % 1) * count)]
    for (let place of places) {
      for (let portion = whole; portion.lines.length > 1; ) {
        const [first, second] = halvesOf(portion)
        portion = place < first.lines.length ? first : second
        if (portion === second) place -= first.lines.length
        if (!(await this.#tryOnce(portion, tried))) return true
      }
    }
    return false
  }

  /** Inserts the halves of a portion that ClickHouse refused, and adds each refused row to `refused`. */
  async #split(portion: Portion, { message }: RefusedRows, found: Found): Promise<void> {
    if (portion.lines.length === 1) return void found.refused.push({ json: portion.lines[0]!, reason: message })
    for (const half of halvesOf(portion)) {
      const refusal = await this.#tryOnce(half, found.tried)
      if (refusal) await this.#split(half, refusal, found)
    }
  }

  async #tryOnce(portion: Portion, tried: Tried): Promise<RefusedRows | undefined> {
    if (!tried.has(portion.token)) tried.set(portion.token, await this.#refusalOf(portion))
    return tried.get(portion.token)
  }

  /**
   * A ClickHouse server that was killed may still know the token of rows that it lost. These rows are inserted again,
   * so tables that did not lose them then contain them twice. No insert can avoid this; `weir rebuild` corrects it.
   */
  async #makeSure(table: EntryTable, lines: readonly string[], token: string): Promise<void> {
    const missing = await notStored(this.#server, table, lines)
    if (missing.length === 0) return
    const bytes = bytesOf(missing)
    await insertRows(this.#server, table, bytes, `${token}-${await sha256(bytes)}`)
    this.tell('parts', `ClickHouse lost ${missing.length} rows of ${table}. They were inserted again. Run weir check.`)
    const still = await notStored(this.#server, table, missing)
    if (still.length > 0) throw new Error(`ClickHouse accepted ${still.length} rows, but they cannot be read.`)
  }

  async #setAside(table: EntryTable, refused: readonly RefusedRow[]): Promise<void> {
    const { reason } = refused[0]!
    const full = await setAside(this.#database, table, refused, this.#server.clock.wall())
    if (full.size > 0) throw new Waiting(reason, table, full)
    this.#setAsideRows += refused.length
    this.tell('event', reason.slice(0, 300), { table, rows: refused.length })
  }

  /** Logs a line. */
  tell(failing: string, cause: string, more: object = {}): void {
    const time = new Date(this.#server.clock.wall()).toISOString()
    const { log, writer } = this.#server
    const where = { log, server: new URL(writer.url).host }
    console.error(JSON.stringify({ time, failing, ...where, ...more, cause: withoutQuoted(cause) }))
  }
}

/** Matches the timestamp in a row's JSON. Quotes within texts are escaped, so it cannot match there. */
const moment = /"(?:created_at|arrived_at)":"([^"]*)"/

/**
 * ClickHouse refuses rows dated more than a day ahead, which arrived before the clock was set back. Gives them the
 * current time. Returns the other rows and these as separate portions; an empty list if no row is ahead.
 */
async function datedNow(portion: Portion, now: number): Promise<readonly Portion[]> {
  const isAhead = (line: string) => Date.parse(`${moment.exec(line)?.[1]}Z`) > now + dayLength
  const ahead = portion.lines.filter(isAhead)
  if (ahead.length === 0) return []
  const text = timeText(now)
  const lines = ahead.map((line) => line.replace(moment, (field, old: string) => field.replace(old, text)))
  const others = portion.lines.filter((line) => !isAhead(line))
  // Their timestamps change, so no check finds the stored rows. A separate token prevents a second insert.
  const dated = { ...portion, lines, token: await sha256(bytesOf(ahead)), isRepeated: false }
  const token = `${portion.token}-${await sha256(bytesOf(others))}`
  return others.length === 0 ? [dated] : [{ ...portion, lines: others, token }, dated]
}

function halvesOf({ lines, token, ...rest }: Portion): readonly [Portion, Portion] {
  const middle = Math.ceil(lines.length / 2)
  return [
    { ...rest, lines: lines.slice(0, middle), token: `${token}0` },
    { ...rest, lines: lines.slice(middle), token: `${token}1` },
  ]
}
