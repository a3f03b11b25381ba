import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { writeServer } from '../../collect/insert.ts'
import { follow } from '../import/follow.ts'
import { openSource } from '../import/open-source.ts'
import { Meter, progressLine } from '../import/progress.ts'
import { type Import, importSection, isDone } from '../import/run.ts'
import { type Plan, planOf, type Wanted } from '../import/sections.ts'
import type { Source } from '../import/source.ts'
import { State } from '../import/state.ts'
import { holdState } from '../import/state-lock.ts'
import { dryRunLines, leftOutLines, sumLines } from '../import/summary.ts'
import { type Target, targetIdentity } from '../import/target.ts'
import { mostRows, Writer } from '../import/writer.ts'
import { keepHeapSmall } from '../machine/heap.ts'
import { makePrivate } from '../machine/private-folder.ts'
import { fromHere, places } from '../paths.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { importPeople } from './import-people.ts'
import type { Given, Io } from './io.ts'
import { momentOf } from './moments.ts'
import { websiteFlags } from './named-websites.ts'
import { daysKept } from './purge-commands.ts'

interface Flags {
  readonly from: string
  readonly metadata?: string
  readonly website?: readonly string[]
  readonly since?: string
  readonly until?: string
  readonly dryRun?: true
  readonly follow?: true
  readonly events?: true
  readonly sql?: string
  readonly state?: string
  readonly rows?: string
}

const numberOfRows = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, { error: 'Must be a number of rows from 1 to 99999.' })
  .transform(Number)

const rowsOf = ({ rows = '99999' }: Flags): number => checked(numberOfRows, rows, '--rows')

/** Reads the flags. Throws a `Misuse` that names a wrong one. */
const askedOf = (flags: Flags, io: Io) => ({
  ...{ from: flags.from, metadata: flags.metadata, websiteIds: websiteFlags(flags.website) },
  ...{ since: momentOf(flags.since, '--since'), until: momentOf(flags.until, '--until') },
  ...{ mostRows: rowsOf(flags), tell: (line: string) => io.err(line), env: io.env },
})

/** The command `import umami`. */
export async function importUmami(given: Given<Flags>): Promise<void> {
  const { flags, io, withClickHouse } = given
  if (flags.events && flags.sql !== undefined) throw new Misuse('Give --events or --sql: files of SQL hold no events.')
  keepHeapSmall()
  const asked = askedOf(flags, io)
  const { source, people, websites } = await openSource(asked)
  try {
    const { replayDays, heatmapDays } = daysKept(io.env)
    const wanted: Wanted = {
      ...{ since: asked.since, until: asked.until, now: Date.now() },
      ...{ websiteIds: websites.ids, days: { replays: replayDays, heatmaps: heatmapDays } },
    }
    const plan = await planOf(source, wanted)
    for (const line of leftOutLines(plan)) io.out(line)
    if (people && !flags.events)
      await importPeople(given, people, `${stateFile(flags, io, given.dataDir, source)}.people`)
    if (flags.dryRun) return dryRunLines(plan).forEach(io.out)
    await withClickHouse(async ({ client, server }) => {
      const own = { writer: server, reader: server, isOneOfSeveral: false }
      const target = { client, server: io.env.CLICKHOUSE_URL ? writeServer(io.env) : own }
      await runImport(given, { source, target, wanted, plan, levelOf: websites.levelOf })
    })
  } finally {
    await source.close()
  }
}

/** The parts of an import run. */
interface Run {
  readonly source: Source
  readonly target: Target
  readonly wanted: Wanted
  readonly plan: Plan
  readonly levelOf: Import['levelOf']
}

async function runImport({ flags, io, dataDir }: Given<Flags>, run: Run): Promise<void> {
  const { source, target, wanted, plan } = run
  const file = stateFile(flags, io, dataDir, source)
  const free = holdState(file)
  try {
    const state = new State(file, { source: source.identity, target: await targetIdentity(target.client) })
    const writer = new Writer(target, state.batchFile, state.id)
    await writer.finish()
    const left = plan.sections.filter((section) => !isDone({ state }, section))
    const rows = left.reduce((sum, { name, count }) => sum + Math.max(0, count - state.of(name).read), 0)
    const meter = new Meter(rows, (progress) => io.err(progressLine(progress)))
    const work: Import = {
      ...{ source, state, writer, levelOf: run.levelOf, sums: new Map() },
      mostRows: Math.min(mostRows, rowsOf(flags)),
      read: (section, read) => meter.add(section, read),
    }
    for (const section of left) await importSection(work, section)
    for (const line of sumLines(work, plan)) io.out(line)
    if (!flags.follow) return
    io.err('Imports new rows each minute.')
    await follow(work, wanted, (line) => io.err(line))
  } finally {
    free()
  }
}

/** The file that records the progress of an import. Each source has its own. */
function stateFile({ state, follow }: Flags, { env }: Io, dataDir: string, source: Source): string {
  if (follow && !source.canFollow) throw new Misuse('--follow needs a database: nothing arrives in a file.')
  if (state !== undefined) return fromHere(state, env)
  makePrivate(places(dataDir).imports)
  const name = createHash('sha256').update(source.identity).digest('hex').slice(0, 12)
  return join(places(dataDir).imports, `umami-${name}`)
}
