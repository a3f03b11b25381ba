import type { Client } from 'pg'
import { Misuse } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'
import type { SourceRow } from './source.ts'

/** A read-only connection to PostgreSQL. It runs one statement at a time. */
export interface Postgres {
  /** Host, port, database and schema. */
  readonly identity: string
  /** The columns of each table. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>
  rows(text: string, values?: readonly unknown[]): Promise<readonly SourceRow[]>
  close(): Promise<void>
}

/**
 * Settings for each session, for read-only access, UTC and a low load. No parallel workers are used. Joins use indexes,
 * because pages are small and tables large.
 */
const session = `
  SET default_transaction_read_only = on;
  SET TimeZone = 'UTC';
  SET DateStyle = 'ISO, YMD';
  SET bytea_output = 'hex';
  SET statement_timeout = '10min';
  SET max_parallel_workers_per_gather = 0;
  SET enable_hashjoin = off;
  SET enable_mergejoin = off;
  SET enable_seqscan = off;
  SET jit = off`

/** A database without an encoding must send its bytes unchanged. */
const anyBytes = `
  SELECT set_config('client_encoding', 'SQL_ASCII', false) WHERE current_setting('server_encoding') = 'SQL_ASCII'`

/** How long opening a connection may take, in milliseconds. */
const patience = 30_000

/** Returns every value as the text that the server sends. */
const asText = { getTypeParser: () => (value: string | Buffer) => value } as never

/** Opens the PostgreSQL database at this URL. Messages show only the host, because the URL may contain a password. */
export async function openPostgres(url: string): Promise<Postgres> {
  if (!URL.canParse(url)) {
    throw new Misuse('The URL of PostgreSQL must be like postgres://user:password@host:5432/umami.')
  }
  const { hostname, port, pathname, searchParams } = new URL(url)
  const schema = searchParams.get('schema') ?? undefined
  const where = `${hostname || 'localhost'}:${port || 5432}${pathname}`
  const connection = new Connection(url, schema, where)
  const rows: Postgres['rows'] = (text, values = []) => connection.rows(text, values)
  return {
    identity: `postgres ${where}${schema === undefined ? '' : ` ${schema}`}`,
    columns: await columnsOf(rows),
    rows,
    close: () => connection.close(),
  }
}

/** A connection. If it breaks, the next statement opens a new one. */
class Connection {
  readonly #url: string
  readonly #schema: string | undefined
  readonly #where: string
  #client: Promise<Client> | undefined
  #last: Promise<unknown> = Promise.resolve()

  constructor(url: string, schema: string | undefined, where: string) {
    this.#url = url
    this.#schema = schema
    this.#where = where
  }

  /** Statements run one at a time, even if several are requested at the same time. */
  rows(text: string, values: readonly unknown[]): Promise<readonly SourceRow[]> {
    const asked = this.#last.then(async () => {
      this.#client ??= this.#connected()
      const client = await this.#client
      return (await client.query({ text, values: [...values] })).rows as SourceRow[]
    })
    this.#last = asked.catch(() => {})
    return asked.catch((error: unknown) => {
      throw new Error(
        `PostgreSQL at ${printable(this.#where)}: ${printable((error as Error).message || String(error))}`,
      )
    })
  }

  async close(): Promise<void> {
    await (await this.#client)?.end()
  }

  async #connected(): Promise<Client> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({
      connectionString: this.#url,
      types: asText,
      connectionTimeoutMillis: patience,
      application_name: 'weir import',
    })
    const forget = () => {
      this.#client = undefined
    }
    client.on('error', forget).on('end', forget)
    try {
      await client.connect()
      await client.query(`${session}; ${anyBytes}`)
      if (this.#schema !== undefined) await client.query("SELECT set_config('search_path', $1, false)", [this.#schema])
      return client
    } catch (error) {
      forget()
      await client.end().catch(() => {})
      throw error
    }
  }
}

async function columnsOf(rows: Postgres['rows']): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = await rows(
    `SELECT table_name::text AS "table", column_name::text AS "column" FROM information_schema.columns
     WHERE table_schema = current_schema()`,
  )
  const columns = new Map<string, Set<string>>()
  for (const { table, column } of found) columns.set(table!, (columns.get(table!) ?? new Set()).add(column!))
  return columns
}
