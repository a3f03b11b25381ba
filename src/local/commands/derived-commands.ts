import type { ClickHouseClient } from '@clickhouse/client-web'
import * as z from 'zod'
import { alone } from '../storage/alone.ts'
import { brokenParts, refuseBroken } from '../storage/broken-parts.ts'
import { chainTables } from '../storage/chain-rows.ts'
import { check, type Difference } from '../storage/check.ts'
import { checkChains } from '../storage/check-chains.ts'
import { comparedTables, type Derived, type Scope } from '../storage/derived.ts'
import { judgedBefore, judgeMonth } from '../storage/judge-channels.ts'
import { type Rebuilt, rebuild } from '../storage/rebuild.ts'
import { type Halves, reconcile } from '../storage/reconcile.ts'
import { splitSessions } from '../storage/shard.ts'
import { unseal } from '../storage/unseal.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { printable } from '../told/printable.ts'
import type { Given, Io } from './io.ts'
import { websiteFlags } from './named-websites.ts'

interface Flags {
  readonly website?: string[] | undefined
  readonly month?: string | undefined
}

const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, { error: 'Must be a month such as 2025-01.' })
  .transform((text) => Number(text.replace('-', '')))

interface RebuildFlags extends Flags {
  readonly orphans?: string | undefined
  readonly acceptLost?: boolean | undefined
  readonly channels?: boolean | undefined
}

const orphans = z.enum(['remove', 'adopt'], { error: 'Must be remove or adopt.' })

/** The command `check`. */
export async function checkTables({ words, flags, io, withClickHouse, metadataFaults }: Given<Flags>): Promise<number> {
  const [tables, scope] = [tablesOf(words), scopeOf(flags)]
  const faults = words.length === 0 ? await metadataFaults() : []
  for (const line of faults) io.out(line)
  return withClickHouse(({ client }) =>
    alone(client, 'check', async () => {
      const broken = await brokenParts(client)
      for (const line of broken) io.out(line)
      let code = faults.length + broken.length > 0 ? 1 : 0
      for (const derived of tables) {
        code = Math.max(code, tellChecked(io, derived, await check(client, derived, scope)))
      }
      const chains = chainsOf(words)
      const differing = await checkChains(client, chains, scope)
      for (const { table, websiteId, month } of differing) {
        io.out(`${table} ${named(month)} ${websiteId}: sealed days differ from their sources`)
      }
      for (const table of chains.filter((name) => !differing.some((one) => one.table === name))) {
        io.out(`${table}: agrees with its sources`)
      }
      if (words.length === 0) {
        await tellSplit(client, scope, io)
        await tellJudgedBefore(client, scope, io)
      }
      return differing.length > 0 ? 1 : code
    }),
  )
}

/** Sessions on two shards are not a fault: their days are answered without chains. */
async function tellSplit(client: ClickHouseClient, scope: Scope, io: Io): Promise<void> {
  for (const { websiteId, month, sessions } of await splitSessions(client, scope)) {
    io.out(`hourly_visits ${named(month)} ${websiteId}: ${sessions} sessions also have rows on another shard`)
  }
}

/** Rows whose channel was determined with older lists are not a fault: they are counted under that channel. */
async function tellJudgedBefore(client: ClickHouseClient, scope: Scope, io: Io): Promise<void> {
  for (const { month, rows } of await judgedBefore(client, scope)) {
    io.out(`events ${named(month)}: ${rows} rows have channels of older lists. rebuild --channels updates them`)
  }
}

/** The command `rebuild --channels`. It works month by month, and may be interrupted and repeated at any time. */
async function rebuildChannels({ words, flags, io, withClickHouse }: Given<RebuildFlags>): Promise<number> {
  if (words.length > 0 || flags.orphans !== undefined || flags.acceptLost) {
    throw new Misuse('Give --channels alone, or with --website and --month.')
  }
  const scope = scopeOf(flags)
  return withClickHouse(({ client }) =>
    alone(client, 'rebuild', async () => {
      await refuseBroken(client)
      for (const older of await judgedBefore(client, scope)) {
        await judgeMonth(client, scope, older)
        io.out(`events ${named(older.month)}: ${older.rows} rows updated`)
      }
      io.out('events: all channels follow the newest lists. seal renews the sealed days')
      return 0
    }),
  )
}

/** The command `rebuild`. */
export async function rebuildTables(given: Given<RebuildFlags>): Promise<number> {
  if (given.flags.channels) return rebuildChannels(given)
  const { words, flags, io, withClickHouse } = given
  const [tables, scope] = [tablesOf(words), scopeOf(flags)]
  const halves: Halves = {
    ...(flags.orphans !== undefined && { orphans: checked(orphans, flags.orphans, '--orphans') }),
    acceptLost: flags.acceptLost === true,
  }
  return withClickHouse(({ client }) =>
    alone(client, 'rebuild', async () => {
      await refuseBroken(client)
      let code = 0
      for (const derived of tables) {
        const work = derived.beside === undefined ? rebuild : reconcile
        const rebuilt = await work(client, derived, scope, halves)
        code = Math.max(code, tellRebuilt(io, derived, rebuilt))
        const isChanged = rebuilt.some(({ added, taken }) => added + taken > 0)
        if (isChanged && sourcesOfChains.has(derived.table)) await unseal(client, scope.websiteIds)
        // Derived tables may contain the last copy of lost properties, and their counts of events without properties
        // are correct.
        if (rebuilt.some(isHalf)) return code
      }
      const differing = await checkChains(client, chainsOf(words), scope)
      const websiteIds = [...new Set(differing.map(({ websiteId }) => websiteId))]
      if (websiteIds.length > 0) await unseal(client, websiteIds)
      for (const websiteId of websiteIds) io.out(`${websiteId}: its days are no longer sealed. seal seals them again`)
      return code
    }),
  )
}

/** The source tables of chains. `check` compares the notes in `seals` with them. */
const sourcesOfChains = new Set(['events', 'custom_events', 'daily_shapes', 'hourly_visits'])

const chainsOf = (words: readonly string[]): readonly string[] =>
  words.length === 0 ? chainTables : chainTables.filter((name) => words.includes(name))

function tablesOf(names: readonly string[]): readonly Derived[] {
  const known = [...comparedTables.map(({ table }) => table), ...chainTables]
  const unknown = names.find((name) => !known.includes(name))
  const allowed = known.join(', ')
  if (unknown !== undefined) throw new Misuse(`${printable(unknown)} is not a table to compare. Allowed: ${allowed}.`)
  return names.length === 0 ? comparedTables : comparedTables.filter(({ table }) => names.includes(table))
}

const scopeOf = (flags: Flags): Scope => ({
  websiteIds: websiteFlags(flags.website),
  ...(flags.month !== undefined && { month: checked(month, flags.month, '--month') }),
})

const unitOf = ({ counts, hasExtremes }: Derived): string => (hasExtremes ? 'rows' : (counts ?? 'rows'))

/** Prints the differences. Returns the exit code. */
function tellChecked(io: Io, derived: Derived, found: readonly Difference[]): number {
  const { table } = derived
  const counts = unitOf(derived)
  const differences = found.filter(({ missing, surplus, unmerged }) => missing + surplus + unmerged > 0)
  for (const { month, websiteId, missing, surplus, unmerged, orphans = 0 } of differences) {
    const what = [
      missing > 0 && `${missing} ${counts} missing`,
      surplus > orphans && `${surplus - orphans} ${counts} too many`,
      orphans > 0 && `${orphans} ${counts} without their event`,
      unmerged > 0 && `${unmerged} rows with a count of 0 or less, to be merged`,
    ]
    io.out(`${table} ${named(month)} ${websiteId}: ${what.filter(Boolean).join(', ')}`)
  }
  if (differences.length > 0) return 1
  io.out(`${table}: agrees with its sources${ofUnsure(found, counts)}`)
  return 0
}

const isHalf = ({ lost = 0, orphans = 0 }: Rebuilt): boolean => lost + orphans > 0

const aboutOrphans =
  'If their insert was repeated with other ids, run rebuild with --orphans remove; if it was not, with --orphans adopt'

const aboutLost =
  'Derived tables may have the last copy; to keep the events without properties, run rebuild with --accept-lost'

/** Prints the repairs. Returns the exit code. */
export function tellRebuilt(io: Pick<Io, 'out'>, derived: Derived, rebuilt: readonly Rebuilt[]): number {
  const { table } = derived
  const counts = unitOf(derived)
  for (const { month, added, taken, left = 0, lost = 0, orphans = 0 } of rebuilt) {
    const tell = (what: string) => io.out(`${table} ${named(month)}: ${what}`)
    if (added + taken > 0) tell(`${added} ${counts} added, ${taken} removed`)
    if (left > 0) tell(`${left} ${counts} still differ. Run rebuild again`)
    if (orphans > 0) tell(`${orphans} ${counts} without their event. ${aboutOrphans}`)
    if (lost > 0) tell(`${lost} events no longer have properties in custom_events. ${aboutLost}`)
  }
  if (rebuilt.some(isHalf)) {
    io.out('Nothing was changed in the tables derived from it.')
    return 1
  }
  if (rebuilt.some(({ left = 0 }) => left > 0)) return 1
  io.out(`${table}: agrees with its sources${ofUnsure(rebuilt, counts)}`)
  return 0
}

function ofUnsure(found: readonly { unsure: number }[], counts: string): string {
  const unsure = found.reduce((sum, one) => sum + one.unsure, 0)
  return unsure === 0 ? '' : `, except for at most ${unsure} ${counts} that were being written`
}

const named = (month: number): string => `${String(month).slice(0, 4)}-${String(month).slice(4)}`
