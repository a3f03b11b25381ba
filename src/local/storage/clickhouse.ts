import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client-web'
import { Agent, fetch } from 'undici'
import { type Connection, parseServer, type Server } from '../../clickhouse/server.ts'
import { startEngine, useEngine } from '../engine/index.ts'
import { places } from '../paths.ts'
import { refuseUnreachable, serverOf } from './clickhouse-url.ts'

/** The table that a running check, rebuild or purge creates. */
export const runningTable = 'check_running'

/** The table in which a repair prepares rows. */
export const stagingTable = 'check_rows'

/** The database of the embedded engine. */
const localDatabase = 'weir'

/** A ClickHouse server: the one in `CLICKHOUSE_URL`, or else the embedded engine of a data folder. */
export interface ClickHouse {
  readonly server: Server
  readonly client: ClickHouseClient
  /** Resolves with the reason if the embedded engine ends without `close`. */
  readonly ended: Promise<string>
  close(): Promise<void>
}

/** The environment for starting ClickHouse. `note` prints a line for a person at a terminal. */
interface Noting {
  readonly env: NodeJS.ProcessEnv
  note(line: string): void
}

/** Starts the embedded engine on `port` (0: any free one), unless `CLICKHOUSE_URL` is set. */
export const startClickHouse = (dataDir: string, port: number): Promise<ClickHouse> =>
  process.env.CLICKHOUSE_URL
    ? external(process.env)
    : embedded(startEngine({ dataDir: places(dataDir).clickhouse, port }))

/** For commands: uses the engine that runs on the data folder. If none runs, starts one until the command ends. */
export const useClickHouse = async (dataDir: string, { env, note }: Noting): Promise<ClickHouse> =>
  env.CLICKHOUSE_URL
    ? external(env)
    : embedded(
        useEngine({ dataDir: places(dataDir).clickhouse }, () =>
          note(`No ClickHouse is running on ${dataDir}: starting the embedded engine takes a few seconds.`),
        ),
      )

async function external(env: NodeJS.ProcessEnv): Promise<ClickHouse> {
  const server = serverOf(env)
  await refuseUnreachable(server)
  const client = clientOf(server)
  return { server, client, ended: new Promise<never>(() => {}), close: () => client.close() }
}

async function embedded(starting: ReturnType<typeof startEngine>): Promise<ClickHouse> {
  const engine = await starting
  const server = parseServer({
    CLICKHOUSE_URL: engine.url,
    CLICKHOUSE_USER: engine.user,
    CLICKHOUSE_PASSWORD: engine.password,
    CLICKHOUSE_DATABASE: localDatabase,
  })
  const client = clientOf(server)
  // An engine that has ended may have left this table behind. Before the first start, there is no database.
  if (engine.started) await client.command({ query: `DROP TABLE IF EXISTS ${runningTable}` }).catch(() => {})
  const ended = engine.ended.then(({ code, signal }) => signal ?? `exit code ${code}`)
  const close = async () => {
    await client.close()
    await engine.close()
  }
  return { server, client, ended, close }
}

/** Commands have no time limit. Node's own fetch would wait at most five minutes for the headers. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

const patientFetch = ((url: string, init: object) =>
  fetch(url, { ...init, dispatcher: patient })) as unknown as typeof globalThis.fetch

const clientOf = ({ timeout: _, ...server }: Server): ClickHouseClient =>
  createClient({
    ...server,
    request_timeout: 3_600_000,
    fetch: patientFetch,
    log: { level: ClickHouseLogLevel.OFF },
  })

/** The server as one URL, with its credentials, if any. The URL works for statements and inserts. */
export function urlOf({ url, username, password, database }: Connection): string {
  const full = new URL(url)
  full.searchParams.set('database', database)
  if (username !== 'default' || password !== '') {
    full.searchParams.set('user', username)
    full.searchParams.set('password', password)
  }
  return full.href
}
