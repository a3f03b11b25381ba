import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client-web'
import type { Server } from '../../src/clickhouse/server.ts'
import { migrateEvents } from '../../src/local/storage/migrations.ts'
import { seal } from '../../src/local/storage/seal.ts'
import type { Ids } from './compare/cells.ts'
import {
  closed,
  eventIdsOf,
  largest,
  rowsOf,
  sessionIdsOf,
  settled,
  smallest,
  type TableSize,
  tableSizes,
} from './data.ts'
import { type Filling, filled } from './fill.ts'
import { type Beside, type Layouts, mostOfNaive, naiveTables } from './layout.ts'
import { clockOf } from './measure.ts'
import { bytes, type Column, fixed, type Section, table, whole } from './print.ts'

/** What a data set costs to store. `--json` writes it. */
export interface Stored extends Filling {
  readonly tables: Beside<readonly TableSize[]>
  /** ClickHouse's processor seconds to seal all days, or undefined if an earlier run sealed some. */
  readonly sealing: number | undefined
}

/** The same events in both layouts, each in its own database. A large data set does not have the naive layout. */
export interface DataSet {
  /** The server, and the database for Weir's statements. */
  readonly main: Server
  readonly server: Server
  readonly layouts: Layouts
  readonly stored: Stored
  /** Ids for look-ups. */
  readonly ids: Ids
  close(): Promise<void>
}

interface Wanted {
  readonly events: number
  /** The suffix for the data set's databases and files; empty for the main data set. */
  readonly suffix: string
  readonly dataDir: string
}

/** Returns the data set. Creates it if it is missing, and continues an interrupted run. */
export async function dataSet(
  main: Server,
  { events, suffix, dataDir }: Wanted,
  progress: (line: string) => void,
): Promise<DataSet> {
  const server = { ...main, database: main.database + suffix }
  const naiveServer = { ...main, database: `naive${suffix}` }
  const layouts = { weir: clientOf(server), naive: clientOf(naiveServer) }
  await migrateEvents(layouts.weir, server)
  const names = events > mostOfNaive ? (['weir'] as const) : (['weir', 'naive'] as const)
  const hasNaive = names.length === 2
  if (hasNaive) await naiveTables(layouts.naive, naiveServer)
  const filling = await filled(layouts, names, `${dataDir}/filled${suffix}.json`, events, progress)
  const sealing = await sealed(layouts.weir, progress)
  await settled(layouts.weir, progress)
  await closed(layouts.weir, progress)
  if (hasNaive) await closed(layouts.naive, progress)
  const tables = { weir: await tableSizes(layouts.weir), naive: hasNaive ? await tableSizes(layouts.naive) : [] }
  const close = async () => {
    await layouts.weir.close()
    await layouts.naive.close()
  }
  const ids = { largest: await idsOf(layouts.weir, largest), smallest: await idsOf(layouts.weir, smallest) }
  return { main, server, layouts, stored: { ...filling, tables, sealing }, ids, close }
}

const lookups = 20

const idsOf = async (client: ClickHouseClient, websiteId: string): Promise<Ids[keyof Ids]> => ({
  events: await eventIdsOf(client, websiteId, lookups),
  sessions: await sessionIdsOf(client, websiteId, lookups),
})

/** Seals all days, as `npm start` does every minute, so that chains answer long ranges of them. */
async function sealed(client: ClickHouseClient, progress: (line: string) => void): Promise<Stored['sealing']> {
  progress('sealing days')
  const isFirst = (await rowsOf(client, 'select count() as rows from seals')) === 0
  const { processor } = await (await clockOf(client)).costOf(() => seal(client, { websiteIds: [], patience: 0 }))
  return isFirst ? processor / 1000 : undefined
}

/** A client without the Worker's time limit, because filling takes a long time. */
export const clientOf = ({ timeout: _, ...server }: Server) =>
  createClient({
    ...server,
    request_timeout: 3_600_000,
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  })

/** The storage of both layouts, and the speed of their inserts. */
export function storageSection({ stored: found }: DataSet): Section {
  const { events, seconds, tables, sealing } = found
  const rows = (['weir', 'naive'] as const)
    .filter((layout) => tables[layout].length > 0)
    .map((layout) => {
      const stored = tables[layout].reduce((sum, one) => sum + one.bytes, 0)
      return { layout, stored, rate: events / seconds[layout] }
    })
  const columns: Column<(typeof rows)[number]>[] = [
    { heading: 'layout', isText: true, write: ({ layout }) => layout },
    { heading: 'stored', write: ({ stored }) => bytes(stored) },
    { heading: 'bytes an event', write: ({ stored }) => fixed(stored / events) },
    { heading: 'events a second', write: ({ rate }) => whole(rate) },
  ]
  const seal =
    sealing === undefined ? '' : ` To seal a million took ${fixed((1e6 * sealing) / events)} processor seconds.`
  const how = `${whole(events)} events of 50 websites. The layouts were filled in turn.${seal}`
  return { heading: 'Storage', how, page: [table(columns, rows)], more: [], found }
}
