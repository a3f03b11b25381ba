import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { Misuse } from '../../told/misuse.ts'
import { csvLine, type Losses } from './cells.ts'
import { columnNames, type OriginTable, originTableNames } from './columns.ts'
import { loadScript } from './load-script.ts'
import { cellsFor, type Since, type Visible } from './rows.ts'

const script = 'load.sql'

const fileOf = (table: OriginTable): string => `${table}.csv`

const fileNames = [...originTableNames.map(fileOf), script]

/** The suffix of a file's name until all files are complete. */
const unfinished = '.part'

/** Throws a `Misuse` if the folder already has files of an export. */
export function refuseTakenFolder(folder: string): void {
  const taken = fileNames.find((name) => existsSync(join(folder, name)))
  if (taken !== undefined) throw new Misuse(`${folder} already has ${taken}. Choose a new folder with --to.`)
}

/** The result of an export. */
export interface Written {
  /** The number of rows of each table. */
  readonly rows: ReadonlyMap<OriginTable, number>
  readonly losses: Losses
}

/**
 * Writes Umami's tables into a folder, and the script that loads them. Only their owner can read the files. The files
 * get their final names once all are complete. After an error, no file is left.
 */
export async function writeBack(
  client: ClickHouseClient,
  folder: string,
  websites: readonly Visible[],
  since: Since,
): Promise<Written> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const rows = new Map<OriginTable, number>()
  const losses: Losses = new Map()
  const path = (name: string) => join(folder, name + unfinished)
  try {
    for (const table of originTableNames) {
      const write = async (file: FileHandle) => {
        let written = 0
        await file.appendFile(csvLine(columnNames(table)))
        for (const website of websites) {
          for await (const cells of cellsFor(client, table, website, since, losses)) {
            await file.appendFile(cells.map((row) => csvLine(columnNames(table).map((name) => row[name]))).join(''))
            written += cells.length
          }
        }
        rows.set(table, written)
      }
      await withFile(path(fileOf(table)), write)
    }
    await withFile(path(script), (file) => file.appendFile(loadScript))
  } catch (error) {
    for (const name of fileNames) rmSync(path(name), { force: true })
    throw error
  }
  for (const name of fileNames) renameSync(path(name), join(folder, name))
  return { rows, losses }
}

async function withFile(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await write(file)
    await file.sync()
  } finally {
    await file.close()
  }
}
