import { existsSync } from 'node:fs'
import { metadata } from '../../metadata/metadata.ts'
import { makePrivate } from '../machine/private-folder.ts'
import { places } from '../paths.ts'
import type { OpenMetadata } from '../start/workerd.ts'
import { entryOfCommand, type Subjects } from '../storage/metadata.ts'
import { metadataFaults } from '../storage/metadata-faults.ts'
import { lockMetadata } from '../storage/metadata-lock.ts'
import { findSharedMetadata, metadataThrough } from '../storage/shared-metadata.ts'
import { Misuse } from '../told/misuse.ts'
import { messageOf } from '../told/troubles.ts'
import type { Io, Opened } from './io.ts'

/** The command line: the words of the command, and the names of its flags. */
interface Typed {
  readonly words: string
  readonly flags: readonly string[]
}

/**
 * The resources of a command. Each is open only while the work runs. If `makes` is true, a missing folder is created.
 */
export function openedOf(dataDir: string, makes: boolean, { words, flags }: Typed, io: Io): Opened {
  const openFolder = (): void => {
    if (!existsSync(dataDir) && !makes) {
      throw new Error(`There is no data folder ${dataDir}. npm start creates it; --data-dir selects another one.`)
    }
    makePrivate(dataDir)
  }
  const entryOf = (subjects: Subjects) => entryOfCommand(words, flags, subjects)
  const withMetadata: Opened['withMetadata'] = async (work) => {
    openFolder()
    const { migrateMetadata } = await import('../storage/migrations.ts')
    const { metadata: database, close } = await io.openMetadata(dataDir)
    return migrateMetadata(database)
      .then((applied) => work(database, applied))
      .finally(close)
  }
  return {
    dataDir,
    withMetadata,
    entryOf,
    withChange: (work) =>
      withMetadata(async (database) => {
        const subjects = await work(database)
        if (subjects) await metadata(database, Date.now()).store.note(...entryOf(subjects))
      }),
    async withClickHouse(work) {
      if (io.env.CLICKHOUSE_REPLICAS) (await import('../start/replicas.ts')).refuseWrongReplicas(io.env)
      if (!io.env.CLICKHOUSE_URL) {
        openFolder()
        await refuseOtherClickHouse(dataDir)
      }
      const { useClickHouse } = await import('../storage/clickhouse.ts')
      const clickhouse = await useClickHouse(dataDir, io)
      return work(clickhouse).finally(clickhouse.close)
    },
    async withEngine(port, work) {
      if (io.env.CLICKHOUSE_URL) throw new Misuse('CLICKHOUSE_URL selects another server. Unset it to start an engine.')
      openFolder()
      const { startClickHouse } = await import('../storage/clickhouse.ts')
      const clickhouse = await startClickHouse(dataDir, port)
      return work(clickhouse).finally(clickhouse.close)
    },
    async apiUrl() {
      const url = io.env.PUBLIC_URL?.replace(/\/$/, '')
      return url || (await findSharedMetadata(places(dataDir).sharedMetadata))?.api
    },
    async metadataFaults() {
      if (!existsSync(places(dataDir).metadata)) return []
      const found: string[] = []
      const failures = [
        await messageOf(async () => {
          const { metadata: database, close } = await io.openMetadata(dataDir)
          found.push(...(await metadataFaults(database, places(dataDir).metadata).finally(close)))
        }),
        await messageOf(async () => void found.push(...(await faultsOfLogs(dataDir)))),
      ]
      return [...new Set([...found, ...failures.filter((failure) => failure !== undefined)])]
    },
  }
}

/** Without `CLICKHOUSE_URL`, a command would use the embedded engine, but the running Worker reads another server. */
async function refuseOtherClickHouse(dataDir: string): Promise<void> {
  const running = await findSharedMetadata(places(dataDir).sharedMetadata)
  if (!running?.clickhouse) return
  throw new Misuse(`npm start runs here with the ClickHouse at ${running.clickhouse}: set CLICKHOUSE_URL here, too.`)
}

/** The faults of the collection log. Asks the running Weir, if any, because it has the log open. */
async function faultsOfLogs(dataDir: string): Promise<string[]> {
  const found = await lockMetadata(dataDir, () => findSharedMetadata(places(dataDir).sharedMetadata))
  const running = typeof found === 'object' ? found : undefined
  const { logFaults } = await import('../start/logs.ts')
  return logFaults(dataDir, running).finally(() => typeof found === 'function' && found())
}

/** Opens a data folder's D1 for a command, through the running Worker if there is one, or else directly. */
export async function openMetadata(dataDir: string, note: (line: string) => void = () => {}): Promise<OpenMetadata> {
  const found = await lockMetadata(dataDir, () => findSharedMetadata(places(dataDir).sharedMetadata))
  if (typeof found === 'object')
    return { metadata: metadataThrough(found, places(dataDir).metadata), close: async () => {} }
  note(`No Worker is running on ${dataDir}: its metadata is opened for this command.`)
  try {
    // Miniflare takes a second to load.
    const { metadata, close } = await (await import('../start/workerd.ts')).openAlone(dataDir)
    return { metadata, close: () => close().finally(found) }
  } catch (error) {
    found()
    throw error
  }
}
