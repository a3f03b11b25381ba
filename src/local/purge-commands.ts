import * as z from 'zod'
import { id } from '../endpoints/ids.ts'
import { metadata } from '../metadata/metadata.ts'
import { forgetDeleted } from '../metadata/sessions.ts'
import type { Sql } from '../metadata/store.ts'
import { checked } from './checked.ts'
import type { Commands, Io, Opened } from './io.ts'
import { asScript } from './metadata.ts'
import {
  deletedSessions,
  hiddenEvents,
  monthsBefore,
  purge,
  purgeable,
  purgeableIn,
  purgeBefore,
  websitesToPurge,
} from './purge.ts'

interface Flags {
  readonly sql: boolean
  readonly deleted: boolean
  readonly website?: string[] | undefined
  readonly 'keep-months'?: string | undefined
}

const monthsToKeep = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, { error: 'Must be a number of months from 1 to 999.' })
  .transform(Number)

const websites = z.array(id()).max(1000, { error: 'Must be 1,000 websites at most.' })

/** The command `purge`. */
export const purgeCommands = (
  { sql, deleted, website, 'keep-months': months }: Flags,
  io: Io,
  { withClickHouse, withMetadata }: Pick<Opened, 'withClickHouse' | 'withMetadata'>,
): Commands => {
  const printRows = (purged: Awaited<ReturnType<typeof purge>>): void => {
    for (const { table, rows } of purged) io.out(`${table}: ${rows} rows deleted`)
  }
  return {
    purge: async ([file]) => {
      if (months !== undefined) {
        if (sql || deleted || file) throw new Error('Give --keep-months without --sql, --deleted and FILE.')
        const startOfMonth = monthsBefore(Date.now(), checked(monthsToKeep, months, '--keep-months'))
        const websiteIds = checked(websites, website ?? [], '--website')
        return withClickHouse(async ({ client }) => {
          io.out(`Events before ${new Date(startOfMonth).toISOString().slice(0, 10)} (UTC):`)
          printRows(await purgeBefore(client, startOfMonth, websiteIds))
        })
      }
      if (website) throw new Error('Give --website only with --keep-months: purge takes the websites from D1.')
      if (sql) return io.out(websitesToPurge)
      /** Returns the statements after which D1 forgets the sessions that are gone. */
      const deleteEvents = async (rows: Parameters<typeof hiddenEvents>[0]): Promise<Sql[]> => {
        const sessions = deletedSessions(rows)
        await withClickHouse(async ({ client }) => {
          printRows(await purge(client, hiddenEvents(rows, { deleted }), sessions))
        })
        return sessions.flatMap(({ websiteId, sessionIds }) => forgetDeleted(websiteId, sessionIds))
      }
      if (file) {
        const rest = await deleteEvents(purgeableIn(file))
        if (rest.length > 0) {
          io.err('Run these statements in the remote D1: it then forgets the deleted sessions.')
          io.out(asScript(rest))
        }
        return
      }
      await withMetadata(async (database) => {
        const rest = await deleteEvents(await purgeable(database))
        if (rest.length > 0) await metadata(database, Date.now()).store.write(...rest)
      })
    },
  }
}
