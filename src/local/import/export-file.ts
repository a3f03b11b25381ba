import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { Unzip, UnzipInflate } from 'fflate'
import { Misuse } from '../told/misuse.ts'
import { CsvReader } from './csv.ts'
import { eventColumns } from './event-rows.ts'
import { columnsOfKind } from './kinds.ts'
import type { SourceRow } from './source.ts'

/** The files of an export, and the columns that an import reads. */
const files = {
  'website_event.csv': eventColumns as readonly string[],
  'event_data.csv': ['website_id', 'created_at', ...columnsOfKind.properties] as readonly string[],
  'session_data.csv': columnsOfKind.sessionData as readonly string[],
} as const

type ExportFile = keyof typeof files

/** Columns of an export that an import does not need. */
const unneeded = new Set(['job_id', 'subdivision2', 'url_path', 'event_name', 'session_id'])

/** Other names that a column may have. */
const otherNames: Readonly<Record<string, string>> = { subdivision1: 'region' }

interface Reading {
  take(file: ExportFile, row: SourceRow): void
  tell(line: string): void
}

/** Streams the rows of an export from beginning to end. */
export async function readExport(path: string, { take, tell }: Reading): Promise<void> {
  const found = new Set<string>()
  const unzip = new Unzip()
  unzip.register(UnzipInflate)
  unzip.onfile = (file) => {
    const name = basename(file.name) as ExportFile
    const reader = name in files ? rowsOf(name, take, tell) : undefined
    if (reader) found.add(name)
    const decoder = new TextDecoder()
    // Unwanted files are also inflated, because otherwise the library would keep them in memory.
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error
      reader?.push(decoder.decode(chunk, { stream: !isLast }))
      if (isLast) reader?.end()
    }
    file.start()
  }
  try {
    for await (const chunk of createReadStream(path)) unzip.push(chunk as Uint8Array)
    unzip.push(new Uint8Array(0), true)
  } catch (error) {
    if (!/zip|compression|length|distance|block/i.test(String(error))) throw error
    throw new Misuse(`${path} is not a ZIP file, or is truncated: ${(error as Error).message}.`)
  }
  if (!found.has('website_event.csv'))
    throw new Misuse(`${path} is not a ZIP file with a website_event.csv, as Umami exports it.`)
}

/** Creates the reader for one file. The header names the columns; unknown columns are reported and skipped. */
function rowsOf(name: ExportFile, take: Reading['take'], tell: Reading['tell']): CsvReader {
  let header: readonly (string | undefined)[] | undefined
  return new CsvReader((fields) => {
    if (header) return take(name, rowIn(header, fields))
    const names = fields.map((one) => otherNames[one?.trim() ?? ''] ?? one?.trim() ?? '')
    header = names.map((one) => (files[name].includes(one) ? one : undefined))
    const unknown = names.filter((one) => !files[name].includes(one) && !unneeded.has(one))
    if (unknown.length > 0) tell(`${name}: Weir does not know the columns ${unknown.join(', ')} and leaves them out.`)
    const missing = files[name].filter((one) => !names.includes(one))
    if (missing.length > 0) tell(`${name} has no ${missing.join(', ')}: they stay empty.`)
    return undefined
  })
}

function rowIn(header: readonly (string | undefined)[], fields: readonly (string | null)[]): SourceRow {
  const row: Record<string, string | null> = {}
  for (const [place, name] of header.entries()) {
    const field = fields[place]
    if (name !== undefined) row[name] = field ?? null
  }
  return row
}

/** Returns a text that identifies the content of a file. */
export async function identityOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array)
  return `export ${hash.digest('hex').slice(0, 32)}`
}
