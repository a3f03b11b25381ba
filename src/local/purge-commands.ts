import { metadata } from '../metadata/metadata.ts'
import { forgetDeleted } from '../metadata/sessions.ts'
import type { Sql } from '../metadata/store.ts'
import type { Commands, Io, Opened } from './io.ts'
import { asScript } from './metadata.ts'
import { deletedSessions, hiddenEvents, purge, purgeable, purgeableIn, websitesToPurge } from './purge.ts'

interface Flags {
  readonly sql: boolean
  readonly deleted: boolean
}

/** The command `purge`. */
export const purgeCommands = (
  { sql, deleted }: Flags,
  io: Io,
  { withClickHouse, withMetadata }: Pick<Opened, 'withClickHouse' | 'withMetadata'>,
): Commands => ({
  purge: async ([file]) => {
    if (sql) return io.out(websitesToPurge)
    /** Returns the statements after which D1 forgets the sessions that are gone. */
    const deleteEvents = async (websites: Parameters<typeof hiddenEvents>[0]): Promise<Sql[]> => {
      const sessions = deletedSessions(websites)
      await withClickHouse(async ({ client }) => {
        for (const { table, rows } of await purge(client, hiddenEvents(websites, { deleted }), sessions)) {
          io.out(`${table}: ${rows} rows deleted`)
        }
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
})
