import * as z from 'zod'
import { made } from '../made.ts'
import { compile, texts } from '../query/language/sql.ts'
import { select } from '../query/language/statement.ts'
import { namesRead, noRowsOfAny } from '../query/tables/rows.ts'
import { codeOf } from './failures.ts'
import { sendQuery, within } from './query.ts'
import type { Replica } from './replicas.ts'

/** A replica lacks tables that this version needs, or the Worker's user may not read them. */
export class TablesMissing extends Error {
  constructor(
    /** Each table with a remedy, such as `sales is missing: run migrate`. */
    readonly tables: string[],
    cause: unknown,
  ) {
    super(tables.join(', '), { cause })
    this.name = 'TablesMissing'
  }
}

const readsEveryTable = compile(select(() => z.object({}))`select 1 from ${noRowsOfAny}`.body)

const Name = () => z.object({ name: z.string() })

/** ClickHouse lists only those tables that the user may read. */
const tablesThere = compile(
  select(Name)`select name from system.tables
    where database = currentDatabase() and name in ${texts(namesRead)}`.body,
)

/** ClickHouse's error codes for an unknown table and a missing privilege, each with its remedy. */
const lacks = new Map([
  ['60', 'is missing: run migrate'],
  ['497', 'may not be read: run access'],
])

/**
 * Checks with one statement whether a replica can read every table. If it cannot, a second statement finds the missing
 * tables. Throws if the replica cannot read all tables or takes longer than `milliseconds`.
 */
export const readEveryTable = ({ server }: Replica, milliseconds: number): Promise<void> =>
  within(milliseconds, async (signal) => {
    const bounded = { connection: server, limits: { timeout: Math.ceil(milliseconds / 1000) } }
    const ask = (statement: typeof tablesThere) =>
      sendQuery(bounded, statement, signal, { query_id: `weir-ready-${crypto.randomUUID()}` })
    try {
      await ask(readsEveryTable)
    } catch (error) {
      const lack = lacks.get(codeOf(error))
      if (!lack) throw error
      const there = (await ask(tablesThere)).data.map((row) => made(Name).parse(row).name)
      const missing = namesRead.filter((name) => !there.includes(name)).map((name) => `${name} ${lack}`)
      throw missing.length > 0 ? new TablesMissing(missing, error) : error
    }
  })
