import { metadata } from '../metadata/metadata.ts'
import { forgetDeleted } from '../metadata/sessions.ts'
import type { Sql } from '../metadata/store.ts'
import type { Given } from './io.ts'
import { asScript } from './metadata.ts'
import { fromHere } from './paths.ts'
import { deletedSessions, hiddenEvents, purge, purgeable, purgeableIn, websitesToPurge } from './purge.ts'

interface Flags {
  readonly sql?: true
  readonly deleted?: boolean
}

/** The command `purge`. */
export async function purgeEvents(given: Given<Flags>): Promise<void> {
  const { words, flags, io, withMetadata } = given
  if (flags.sql) return io.out(websitesToPurge)
  const [file] = words
  if (file !== undefined) {
    const rest = await deleteEvents(purgeableIn(fromHere(file, io.env)), given)
    if (rest.length === 0) return
    io.err('Run these statements in the remote D1: it then forgets the deleted sessions.')
    return io.out(asScript(rest))
  }
  await withMetadata(async (database) => {
    const rest = await deleteEvents(await purgeable(database), given)
    if (rest.length > 0) await metadata(database, Date.now()).store.write(...rest)
  })
}

/** Deletes events, and returns the statements after which D1 forgets the sessions that are gone. */
async function deleteEvents(
  websites: Parameters<typeof hiddenEvents>[0],
  { flags: { deleted = false }, io, withClickHouse }: Given<Flags>,
): Promise<Sql[]> {
  const sessions = deletedSessions(websites)
  await withClickHouse(async ({ client }) => {
    for (const { table, rows } of await purge(client, hiddenEvents(websites, { deleted }), sessions)) {
      io.out(`${table}: ${rows} rows deleted`)
    }
  })
  return sessions.flatMap(({ websiteId, sessionIds }) => forgetDeleted(websiteId, sessionIds))
}
