import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { ClickHouseSettings } from '@clickhouse/client-web'
import { benchPlan, datasetSteps } from '../../src/local/dataset/index.ts'
import { rowsOf, seed, to } from './data.ts'
import type { Beside, Layout, Layouts } from './layout.ts'
import { timed } from './measure.ts'

/** The result of filling a data folder. */
export interface Filling {
  readonly events: number
  /** The statements' time only; 0 for a layout that was not filled. */
  readonly seconds: Beside<number>
}

/** The progress of filling a data set: the steps completed in both layouts, and their time. */
interface Note {
  readonly events: number
  readonly done: number
  readonly seconds: Beside<number>
}

/**
 * Each statement inserts one block into all views in parallel. With a deduplication token, a repeated statement is then
 * stored only once, no matter how its rows are ordered. Merges sum equal rows later, as docs/writing.md advises for
 * heavy writers.
 */
const insertSettings: ClickHouseSettings = {
  parallel_view_processing: 1,
  max_insert_threads: '1',
  optimize_on_insert: 0,
  min_insert_block_size_rows: '0',
  min_insert_block_size_bytes: String(2 ** 34),
  deduplicate_insert_select: 'enable_even_for_bad_queries',
} as ClickHouseSettings

/**
 * Fills these layouts in turn. An interrupted run continues from the progress in the file `note`. In Weir's storage,
 * repeating the last step stores only missing rows. The naive layout ignores tokens.
 */
export async function filled(
  layouts: Layouts,
  names: readonly Layout[],
  note: string,
  wanted: number,
  progress: (line: string) => void,
): Promise<Filling> {
  const parts = datasetSteps(benchPlan(wanted, to, seed))
  const events = parts.reduce((sum, one) => sum + one.events, 0)
  const steps = [...parts, ...callsSteps(events)]
  let { done, seconds } = await noteIn(note, events, layouts, names)
  for (; done < steps.length; keep(note, { events, done: ++done, seconds })) {
    progress(`filling, step ${done + 1} of ${steps.length}`)
    for (const layout of done % 2 === 0 ? names : names.toReversed()) {
      const { query, query_params } = steps[done]!
      const clickhouse_settings = { ...insertSettings, insert_deduplication_token: `bench ${done}` }
      const took = await timed(() => layouts[layout].command({ query, query_params, clickhouse_settings }))
      // The insert rate covers only events, not calls.
      if (done < parts.length) seconds = { ...seconds, [layout]: seconds[layout] + took / 1000 }
    }
  }
  for (const layout of names) await refuseOther(layouts, layout, events)
  return { events, seconds }
}

/** Replaces the whole note at once, because a run may be killed while writing it. */
function keep(note: string, content: Note): void {
  writeFileSync(`${note}.new`, JSON.stringify(content))
  renameSync(`${note}.new`, note)
}

/** Reads the note of an earlier run, or creates one if the layouts are empty. */
async function noteIn(note: string, events: number, layouts: Layouts, names: readonly Layout[]): Promise<Note> {
  if (existsSync(note)) {
    const found = JSON.parse(readFileSync(note, 'utf8')) as Note
    if (found.events !== events) throw new Error(`This data folder is of ${found.events ?? 'other'} events. ${another}`)
    return found
  }
  for (const layout of names) await refuseOther(layouts, layout, 0)
  return { events, done: 0, seconds: { weir: 0, naive: 0 } }
}

const another = 'Delete it, or choose another one with --data-dir.'

async function refuseOther(layouts: Layouts, layout: Layout, wanted: number): Promise<void> {
  const found = await rowsOf(layouts[layout], 'select count() as rows from events')
  if (found !== wanted)
    throw new Error(`Found ${found} events in this data folder, where ${wanted} should be. ${another}`)
}

/** The maximum number of events whose identify calls one statement generates. */
const mostOfCalls = 20_000_000

/** Statements for the identify calls, each for an equal share of the visits. */
function callsSteps(events: number) {
  const shares = Math.ceil(events / mostOfCalls)
  return Array.from({ length: shares }, (_, share) => ({ query: identifyCalls, query_params: { shares, share } }))
}

/**
 * The identify calls give each visit of an identified visitor a plan and a number of seats, every second visitor also
 * the end of a trial, and every third visit tags.
 */
const identifyCalls = `
  insert into ingest_session_data
  with
    (number, what) -> cityHash64(number, what) as hash,
    (choices, drawn) -> choices[drawn % length(choices) + 1] as one_of
  select
    website_id, session_id, said_by, first_at,
    arrayMap(said -> said.1, all) as \`properties.key\`,
    arrayMap(said -> said.2, all) as \`properties.data_type\`,
    arrayMap(said -> said.3, all) as \`properties.string_value\`,
    arrayMap(said -> if(said.2 = 2, toDecimal64(said.3, 4), null), all) as \`properties.number_value\`,
    arrayMap(said -> if(said.2 = 4, parseDateTimeBestEffort(said.3, 'UTC'), null), all) as \`properties.date_value\`
  from (
    select
      website_id, session_id, visit_id, any(distinct_id) as said_by, min(created_at) as first_at,
      arrayConcat(
        [('plan', 1, one_of(['free', 'free', 'free', 'team', 'team', 'business'], hash(visit_id, 'plan'))),
         ('seats', 2, toDecimalString(toUInt32(1 + pow(20, hash(visit_id, 'seats') % 1000 / 1000)), 4))],
        if(hash(session_id, 'trial') % 2 = 0, [('trial_ends', 4, formatDateTime(first_at + toIntervalDay(14), '%Y-%m-%dT%H:%i:%SZ'))], []),
        if(hash(visit_id, 'tags') % 3 = 0, [('tags', 5, one_of(['["beta"]', '["beta","vip"]', '["partner"]'], hash(visit_id, 'tag')))], [])
      ) as all
    from events
    where distinct_id != '' and cityHash64(visit_id) % {shares:UInt32} = {share:UInt32}
    group by website_id, session_id, visit_id
  )`
