import type { D1Database } from '@cloudflare/workers-types'
import * as z from 'zod'
import { deletedSessionsOf } from '../../metadata/sessions.ts'
import { originTableNames } from '../import/back/columns.ts'
import { refuseTakenFolder, type Written, writeBack } from '../import/back/files.ts'
import type { Visible } from '../import/back/rows.ts'
import { number } from '../import/progress.ts'
import { keepHeapSmall } from '../machine/heap.ts'
import { fromHere } from '../paths.ts'
import { printedRows } from '../storage/printed-rows.ts'
import { Misuse } from '../told/misuse.ts'
import { weirCommand } from '../told/weir-command.ts'
import type { Given } from './io.ts'
import { momentOf } from './moments.ts'
import { websiteFlags } from './named-websites.ts'

interface Flags {
  readonly to?: string
  readonly website?: readonly string[]
  readonly since?: string
  readonly until?: string
  readonly sql?: true
}

/** The D1 query for websites, links and pixels, with their reset times and deleted sessions. */
const visibleWebsites = `SELECT id, reset_at, ${deletedSessionsOf('websites.id')} AS deleted_sessions
  FROM websites WHERE deleted_at IS NULL ORDER BY created_at, id`.replaceAll(/\s+/g, ' ')

const VisibleRow = z.object({ id: z.guid(), reset_at: z.int().nullable(), deleted_sessions: z.string() })

type VisibleRow = z.infer<typeof VisibleRow>

const Ids = z.array(z.guid())

/** The command `export umami`. */
export async function exportUmami(given: Given<Flags>): Promise<void> {
  const { flags, io, words, withMetadata, withClickHouse } = given
  if (flags.sql) return io.out(visibleWebsites)
  if (flags.to === undefined) throw new Misuse('--to DIR is missing.')
  keepHeapSmall()
  const folder = fromHere(flags.to, io.env)
  const ids = websiteFlags(flags.website)
  const since = { since: momentOf(flags.since, '--since'), until: momentOf(flags.until, '--until') }
  refuseTakenFolder(folder)
  const [file] = words
  const found =
    file === undefined
      ? await withMetadata(inDatabase)
      : printedRows(fromHere(file, io.env), visibleWebsites, VisibleRow)
  const websites = wantedOf(found, ids)
  const written = await withClickHouse(({ client }) => writeBack(client, folder, websites, since))
  for (const line of linesOf(written)) io.out(line)
  io.note(`To load the files into Umami, run there: psql postgres://… -f load.sql`)
}

const inDatabase = async (database: D1Database): Promise<readonly VisibleRow[]> =>
  (await database.prepare(visibleWebsites).all<VisibleRow>()).results

/** The requested websites, or all. Throws if one does not exist. */
function wantedOf(rows: readonly VisibleRow[], ids: readonly string[]): readonly Visible[] {
  const missing = ids.find((id) => !rows.some((row) => row.id === id))
  if (missing !== undefined) throw new Error(`There is no website ${missing}. See: ${weirCommand} website list`)
  return rows
    .filter(({ id }) => ids.length === 0 || ids.includes(id))
    .map(({ id, reset_at, deleted_sessions }) => ({
      ...{ id, resetAt: reset_at },
      deletedSessions: Ids.parse(JSON.parse(deleted_sessions)),
    }))
}

/** Lists what an export wrote, truncated, or had to leave out. */
const linesOf = ({ rows, losses }: Written): readonly string[] => [
  ...originTableNames.map((table) => `${table}.csv: ${number(rows.get(table)!)} rows`),
  ...[...losses].map(([what, times]) => `${number(times)} ${what}`),
  'Left out: replays and heatmaps; revenue, which Umami derives when it collects; earlier values of session properties.',
]
