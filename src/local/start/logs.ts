import { mkdtempSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { places } from '../paths.ts'
import {
  copyLog,
  damagedLogs,
  faultsOfFiles,
  faultsOfLogs,
  type LogFault,
  logFile,
  logIds,
  refusalOf,
  setLogAside,
} from '../storage/log-files.ts'
import { type AskRows, formatFaultIn, type WaitingRow, waitingRows } from '../storage/log-rows.ts'
import { dropAlarms } from '../storage/metadata-file.ts'
import { askLog, type SharedMetadata } from '../storage/shared-metadata.ts'
import { openLogs, type Workerd } from './workerd.ts'

/**
 * Starts the Worker, and wakes all logs. If a log's file is damaged or missing, it is set aside, and the log starts
 * empty. `tell` receives a sentence about each. Throws an `OtherVersion` if this version of Weir cannot read a log.
 */
export async function startOnLogs(
  dataDir: string,
  startWorker: () => Promise<Workerd>,
  tell: (line: string) => void,
): Promise<Workerd> {
  const count = (file: string) => countedIn(dataDir, file)
  for (const fault of faultsOfFiles(dataDir)) tell(await setLogAside(dataDir, fault, count))
  dropAlarms(places(dataDir).log)
  const worker = await startWorker()
  const faults = await faultsOf(dataDir, worker.sharedMetadata).catch(async (error: unknown) => {
    await worker.close()
    throw error
  })
  if (faults.length === 0) return untilDamaged(dataDir, worker)
  await worker.close()
  for (const fault of faults) tell(await setLogAside(dataDir, fault, count))
  return untilDamaged(dataDir, await startWorker())
}

/** The faults that a running Weir finds in its logs. */
const faultsOf = (dataDir: string, running: SharedMetadata): Promise<LogFault[]> =>
  faultsOfLogs(dataDir, (id) => askLog(running, id))

/** A Worker that ends when SQLite finds a damaged log. The next start sets that log aside. */
const untilDamaged = (dataDir: string, worker: Workerd): Workerd => ({
  ...worker,
  ended: Promise.race([worker.ended, damageOf(dataDir, worker)]),
})

/** The pause after a check that finds no damage, in milliseconds. Each check reads all pages of the logs. */
const betweenLooks = 60_000

async function damageOf(dataDir: string, worker: Workerd): Promise<string> {
  for (;;) {
    await worker.corrupted()
    const faults = await faultsOf(dataDir, worker.sharedMetadata).catch(() => [])
    if (faults.length > 0) return 'a log is damaged'
    await pause(betweenLooks, undefined, { ref: false })
  }
}

/** The advice for a log fault that no start has repaired yet. */
const cure = 'Start Weir again: it sets the file aside, and the log continues.'

/** The faults of a data folder's logs, one sentence each. `running` is the running Weir that has them open, if any. */
export async function logFaults(dataDir: string, running: SharedMetadata | undefined): Promise<string[]> {
  const faults = running
    ? await faultsOf(dataDir, running)
    : [...faultsOfFiles(dataDir), ...(await faultsOfStopped(dataDir))]
  const told: string[] = []
  for (const { id, text } of faults) {
    const file = logFile(dataDir, id)
    told.push(`${file} of collection ${text}. ${await countedIn(dataDir, file)} ${cure}`)
  }
  return [...told, ...damagedLogs(dataDir)]
}

const faultsOfStopped = (dataDir: string): Promise<LogFault[]> =>
  withCopies(
    dataDir,
    logIds(dataDir).map((id) => logFile(dataDir, id)),
    (ask) =>
      faultsOfLogs(dataDir, async (id) => {
        const [row] = await ask(id, 'PRAGMA quick_check(1)')
        if (row?.quick_check !== 'ok') return row?.quick_check
        return (await formatFaultIn((query) => ask(id, query))) ?? null
      }),
  )

/**
 * Throws an `OtherVersion` if this version of Weir cannot read a log of the stopped Weir in `from`. Temporary copies of
 * its logs are in `dataDir`. A damaged log is no reason.
 */
export async function refuseOtherFormats(from: string, dataDir: string): Promise<void> {
  const files = logIds(from).map((id) => logFile(from, id))
  if (files.length === 0) return
  await withCopies(dataDir, files, async (ask, ids) => {
    for (const [place, id] of ids.entries()) {
      const fault = await formatFaultIn((query) => ask(id, query)).catch(() => undefined)
      if (fault !== undefined) throw refusalOf(files[place]!, fault)
    }
  })
}

/** A sentence with the number of readable rows in a log's file. */
async function countedIn(dataDir: string, file: string): Promise<string> {
  let rows = 0
  const isRead = await readLog(dataDir, file, () => rows++).catch(() => false)
  return isRead ? `${rows} rows can be read from it that ClickHouse may lack.` : 'Nothing can be read from it.'
}

/** Reads the rows that ClickHouse may lack from a log's file. Returns whether SQLite can open the file. */
export const readLog = (dataDir: string, file: string, take: (row: WaitingRow) => void): Promise<boolean> =>
  withCopies(dataDir, [file], async (ask, [id]) => {
    const askRows: AskRows = (query) => ask(id!, query)
    for await (const row of waitingRows(askRows)) take(row)
    return askRows('SELECT 1 FROM sqlite_schema LIMIT 1').then(
      () => true,
      () => false,
    )
  })

type Ask = (id: string, query: string) => ReturnType<AskRows>

/** Copies log files, and opens the copies in a separate workerd while `work` runs. */
async function withCopies<Result>(
  dataDir: string,
  files: readonly string[],
  work: (ask: Ask, ids: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(`${dataDir}/copy-`)
  try {
    const ids = files.map((file) => copyLog(file, folder))
    const { ask, close } = await openLogs(folder)
    return await work(ask, ids).finally(close)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
