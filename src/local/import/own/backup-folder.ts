import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { pipeline as whole } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { EntryRow } from '../made-rows.ts'
import type { OwnSource } from './bring.ts'
import type { Day } from './tables.ts'
import type { Thing } from './things.ts'

/** What a backup says of itself, in `backup.json`. The file is written last: without it, a backup is not whole. */
interface Manifest {
  /** The version of Weir that made it. */
  readonly version: string
  /** When, as an ISO text. */
  readonly at: string
  readonly days: readonly Day[]
}

const manifestFile = (folder: string): string => `${folder}/backup.json`
const thingsFile = (folder: string): string => `${folder}/metadata.ndjson.gz`
const dayFile = (folder: string, { kind, day }: Day): string => `${folder}/${kind}-${day}.ndjson.gz`

/** Writes values as compressed lines of JSON. Returns how many they were. */
async function writeValues(file: string, values: AsyncIterable<readonly object[]> | [readonly object[]]) {
  let count = 0
  const lines = async function* () {
    for await (const some of values) {
      count += some.length
      yield some.map((one) => `${JSON.stringify(one)}\n`).join('')
    }
  }
  const out = createWriteStream(file, { mode: 0o600 })
  await whole(Readable.from(lines()), createGzip({ level: 1 }), out)
  return count
}

/** The values of a file, some at a time. Throws if the file is damaged. */
async function* valuesOf<Value>(file: string): AsyncGenerator<Value[]> {
  const texts = pipeline(createReadStream(file), createGunzip(), () => {}).setEncoding('utf8')
  let rest = ''
  for await (const text of texts as AsyncIterable<string>) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    yield lines.map((line) => JSON.parse(line) as Value)
  }
}

/** Writes the rows of a source and of D1 into an empty folder. The manifest says what was written. */
export async function writeBackup(
  folder: string,
  source: OwnSource,
  things: readonly Thing[],
  about: Omit<Manifest, 'days'>,
): Promise<Manifest> {
  await writeValues(thingsFile(folder), [things])
  const days: Day[] = []
  for (const day of source.days) {
    days.push({ ...day, rows: await writeValues(dayFile(folder, day), source.read(day)) })
  }
  const manifest = { ...about, days }
  writeFileSync(manifestFile(folder), `${JSON.stringify(manifest)}\n`, { mode: 0o600 })
  return manifest
}

/** Opens a backup. Throws an Error if the folder has none that is whole. */
export function openBackup(folder: string): { source: OwnSource; things(): Promise<Thing[]>; manifest: Manifest } {
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(manifestFile(folder), 'utf8')) as Manifest
  } catch (cause) {
    throw new Error(`${folder} holds no whole backup of Weir: its backup.json cannot be read.`, { cause })
  }
  return {
    manifest,
    source: {
      identity: `backup of ${manifest.at}`,
      days: manifest.days,
      read: (day) => valuesOf<EntryRow>(dayFile(folder, day)),
    },
    async things() {
      const all: Thing[] = []
      for await (const some of valuesOf<Thing>(thingsFile(folder))) all.push(...some)
      return all
    },
  }
}
