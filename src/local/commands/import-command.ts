import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { LogClock } from '../../collect/clock.ts'
import { writeServer } from '../../collect/insert.ts'
import { mostRows } from '../import/entry-lines.ts'
import { follow } from '../import/follow.ts'
import { openSource } from '../import/open-source.ts'
import { Meter, progressLine } from '../import/progress.ts'
import { type Import, importSections, isDone } from '../import/run.ts'
import { type Plan, planOf, rowsOfPlan, type Wanted } from '../import/sections.ts'
import type { Source } from '../import/source.ts'
import { State } from '../import/state.ts'
import { holdState } from '../import/state-lock.ts'
import { dryRunLines, leftOutLines, sumLines } from '../import/summary.ts'
import { type Target, targetIdentity } from '../import/target.ts'
import { importIdOf, type Tell, whileTelling } from '../import/telling.ts'
import { Writer } from '../import/writer.ts'
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
  readonly sqlTo?: string
  readonly state?: string
  readonly rows?: string
  readonly api?: string
}

const numberOfRows = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, { error: 'Must be a number of rows from 1 to 99999.' })
  .transform(Number)

const rowsOf = ({ rows = '99999' }: Flags): number => checked(numberOfRows, rows, '--rows')

/** Reads the flags. For an invalid flag, throws a `Misuse` that names it. */
const askedOf = (flags: Flags, io: Io) => ({
  ...{ from: flags.from, metadata: flags.metadata, websiteIds: websiteFlags(flags.website) },
  ...{ since: momentOf(flags.since, '--since'), until: momentOf(flags.until, '--until') },
  ...{ mostRows: rowsOf(flags), tell: (line: string) => io.err(line), env: io.env },
})

/** The command `import umami`. */
export async function importUmami(given: Given<Flags>): Promise<void> {
  const { flags, io } = given
  if (flags.events && flags.sqlTo !== undefined) {
    throw new Misuse('Give --events or --sql-to: SQL files contain no events.')
  }
  keepHeapSmall()
  const [asked, api] = [askedOf(flags, io), await apiOf(given)]
  const opened = await openSource(asked)
  const { source } = opened
  try {
    const file = stateFile(flags, io, given.dataDir, source)
    const work = (tell: Tell) => importAll(given, asked, opened, file, tell)
    if (flags.dryRun) return await work(() => {})
    const free = holdState(file)
    const done = api ? whileTelling({ ...api, id: importIdOf(file) }, source.store, io.err, work) : work(() => {})
    await done.finally(free)
  } finally {
    await source.close()
  }
}

/** Imports users, websites and other metadata, then events and recordings. */
async function importAll(
  given: Given<Flags>,
  { since, until }: ReturnType<typeof askedOf>,
  { source, people, websites }: Awaited<ReturnType<typeof openSource>>,
  file: string,
  tell: Tell,
): Promise<void> {
  const { flags, io, withClickHouse } = given
  const { replayDays, heatmapDays } = daysKept(io.env)
  const wanted: Wanted = {
    ...{ since, until, now: Date.now(), websiteIds: websites.ids },
    days: { replays: replayDays, heatmaps: heatmapDays },
  }
  tell({ section: 'counting rows' })
  const plan = await planOf(source, wanted)
  for (const line of leftOutLines(plan)) io.out(line)
  tell({ section: 'people, websites and the like', rowsTotal: rowsOfPlan(plan) })
  if (people && !flags.events) await importPeople(given, people, `${file}.people`)
  if (flags.dryRun) return dryRunLines(plan).forEach(io.out)
  await withClickHouse(async ({ client, server }) => {
    const clock = new LogClock()
    const own = { writer: server, reader: server, isOneOfSeveral: false, clock }
    const target = { client, server: io.env.CLICKHOUSE_URL ? writeServer(io.env, clock) : own }
    await runImport(given, { source, target, wanted, plan, levelOf: websites.levelOf, file, tell })
  })
}

const weirAddress = z
  .url({ protocol: /^https?$/, error: 'Must be the URL of Weir, like https://weir.example.com.' })
  .refine((url) => !url.includes('@'), { error: 'Must not contain a password: give the key separately.' })

/** The API that receives the import's progress, and its key; undefined without a key. */
async function apiOf({ flags, io, apiUrl }: Given<Flags>): Promise<{ url: string; key: string } | undefined> {
  const key = io.env.WEIR_KEY || undefined
  if (key === undefined && flags.api === undefined) return undefined
  if (key === undefined) throw new Misuse('--api needs the key of an admin: set WEIR_KEY.')
  const url = flags.api === undefined ? await apiUrl() : checked(weirAddress, flags.api, '--api')
  return url === undefined ? undefined : { url, key }
}

/** The inputs of a run. */
interface Run {
  readonly source: Source
  readonly target: Target
  readonly wanted: Wanted
  readonly plan: Plan
  readonly levelOf: Import['levelOf']
  /** The file that records its progress. */
  readonly file: string
  readonly tell: Tell
}

async function runImport({ flags, io }: Given<Flags>, run: Run): Promise<void> {
  const { source, target, wanted, plan, file, tell } = run
  const state = new State(file, { source: source.identity, target: await targetIdentity(target.client) })
  const writer = new Writer(target, state.batchFile, state.id)
  await writer.finish()
  const sections = plan.sections.filter((section) => !isDone({ state }, section))
  const left = sections.reduce((sum, { name, count }) => sum + Math.max(0, count - state.of(name).read), 0)
  const whole = rowsOfPlan(plan)
  tell({ section: null, rowsDone: whole - left })
  const meter = new Meter(left, (progress) => io.err(progressLine(progress)))
  const work: Import = {
    ...{ source, state, writer, levelOf: run.levelOf, sums: new Map() },
    mostRows: Math.min(mostRows, rowsOf(flags)),
    read(section, rows) {
      const { read, rate } = meter.add(section, rows)
      const rowsDone = whole - left + read
      tell({ section, rowsDone, rowsTotal: Math.max(whole, rowsDone), rate })
    },
  }
  await importSections(work, sections)
  for (const line of sumLines(work, plan)) io.out(line)
  if (!flags.follow) return
  io.err('Importing new rows every minute.')
  tell({ state: 'following', section: null, rate: 0 })
  await follow(work, wanted, (failure) => {
    io.err(failure ?? 'The source and ClickHouse answer again.')
    tell({ error: failure ?? null })
  })
}

/** The file that records the progress of an import. Each source has its own. */
function stateFile({ state, follow }: Flags, { env }: Io, dataDir: string, source: Source): string {
  if (follow && !source.canFollow) throw new Misuse('--follow needs a database: a file receives no new rows.')
  if (state !== undefined) return fromHere(state, env)
  makePrivate(places(dataDir).imports)
  const name = createHash('sha256').update(source.identity).digest('hex').slice(0, 12)
  return join(places(dataDir).imports, `umami-${name}`)
}
