import { createReadStream, createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { pipeline as whole } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import * as z from 'zod'
import { explained } from '../../told/explained.ts'
import type { EntryRow } from '../made-rows.ts'
import { kinds } from '../source.ts'
import type { OwnSource } from './bring.ts'
import type { Day } from './tables.ts'
import type { Thing } from './things.ts'

/** The description of a backup, in `backup.json`. The file is written last, so a backup without it is incomplete. */
const manifestShape = z.object({
  /** The format of the folder. A version with another one refuses this. */
  format: z.literal(1),
  /** The version of Weir that created it. */
  version: z.string(),
  /** When it was created, in ISO 8601. */
  at: z.string(),
  days: z.array(
    z.object({ kind: z.enum(kinds), day: z.string().regex(/^\d{4}-\d\d-\d\d$/), rows: z.int().nonnegative() }),
  ),
})

type Manifest = z.infer<typeof manifestShape>

const manifestFile = (folder: string): string => `${folder}/backup.json`
const thingsFile = (folder: string): string => `${folder}/metadata.ndjson.gz`
const dayFile = (folder: string, { kind, day }: Day): string => `${folder}/${kind}-${day}.ndjson.gz`

/** Writes values as compressed lines of JSON. Returns their number. */
async function writeValues(file: string, values: AsyncIterable<readonly object[]> | [readonly object[]]) {
  let count = 0
  const lines = async function* () {
    for await (const some of values) {
      count += some.length
      yield some.map((one) => `${JSON.stringify(one)}\n`).join('')
    }
  }
  const out = createWriteStream(file, { mode: 0o600 })
  await whole(Readable.from(lines()), createGzip({ level: 1 }), out).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOSPC' ? new Error(`The disk of ${file} is full. Make room, or use another --to.`) : cause
  })
  return count
}

/** The values of a file, in batches. Throws if the file is damaged or missing. */
async function* valuesOf<Value>(file: string): AsyncGenerator<Value[]> {
  const texts = pipeline(createReadStream(file), createGunzip(), () => {}).setEncoding('utf8')
  let rest = ''
  try {
    for await (const text of texts as AsyncIterable<string>) {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      yield lines.map((line) => JSON.parse(line) as Value)
    }
  } catch (cause) {
    throw new Error(`${file} is damaged (${explained(cause)}). ${otherBackup}`, { cause })
  }
}

/** The advice for a backup that cannot be read. */
const otherBackup = 'Restore another backup, or another copy of this one, into a new folder.'

/**
 * Writes the rows of a source and of D1 into an empty folder, with a manifest. Returns the number of rows from
 * ClickHouse, and how many were missing.
 */
export async function writeBackup(
  folder: string,
  source: OwnSource,
  things: readonly Thing[],
  about: Omit<Manifest, 'format' | 'days'>,
): Promise<{ rows: number; missing: number }> {
  await writeValues(thingsFile(folder), [things])
  const days: Day[] = []
  for (const day of source.days) {
    days.push({ ...day, rows: await writeValues(dayFile(folder, day), source.read(day)) })
  }
  writeFileSync(manifestFile(folder), `${JSON.stringify({ format: 1, ...about, days } satisfies Manifest)}\n`, {
    mode: 0o600,
  })
  const missing = source.days.map(({ rows }, place) => Math.max(0, rows - days[place]!.rows))
  return { rows: sumOf(days.map(({ rows }) => rows)), missing: sumOf(missing) }
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

/** Opens a backup. Throws an Error if the folder does not contain a complete backup. */
export function openBackup(folder: string): { source: OwnSource; things(): Promise<Thing[]>; manifest: Manifest } {
  let manifest: Manifest
  try {
    manifest = manifestShape.parse(JSON.parse(readFileSync(manifestFile(folder), 'utf8')))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EACCES') {
      throw new Error(`${explained(cause)} The files must belong to the user who restores them.`, { cause })
    }
    throw new Error(`${folder} contains no complete Weir backup: its backup.json cannot be read. ${otherBackup}`, {
      cause,
    })
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
