import type { ClickHouseClient } from '@clickhouse/client-web'
import { id } from '../../endpoints/ids.ts'
import { personIn } from '../../endpoints/people/person.ts'
import { type Metadata, metadata } from '../../metadata/metadata.ts'
import type { Website } from '../../metadata/website.ts'
import type { Scope } from '../../query/language/scope.ts'
import { compile } from '../../query/language/sql.ts'
import { type NamedPerson, recordsOf, sessionsOfPerson } from '../../query/lists/one-person.ts'
import { purgeSessionsOf } from '../storage/purge-sessions.ts'
import { selected } from '../storage/selected.ts'
import { checked, Misuse } from '../told/misuse.ts'
import { confirm } from './confirm.ts'
import type { Given } from './io.ts'
import { existingWebsite, websiteFlags } from './named-websites.ts'

interface Flags {
  readonly website: readonly string[]
  readonly distinctId?: string
  readonly session?: string
  readonly single?: true
  readonly shared?: true
  readonly yes?: true
}

/** The command `person export`. It prints the sessions that it found, then one JSON row per line. */
export const exportOnePerson = (given: Given<Flags>): Promise<void> =>
  withWebsite(given, async (website, _, client) => {
    const scope = scopeOf(website)
    const found = await findIn(client, scope, given.flags)
    given.io.out(JSON.stringify(found))
    for (const statement of recordsOf(scope, found.sessions)) {
      const { query, query_params } = compile(statement)
      const rows = await client.query({ query, query_params, format: 'JSONEachRow' })
      for await (const some of rows.stream()) for (const row of some) given.io.out(row.text)
    }
  })

/** The command `person erase`. It also erases rows that a reset or an earlier deletion hides. */
export const eraseOnePerson = (given: Given<Flags>): Promise<void> =>
  withWebsite(given, async (website, own, client) => {
    const { io, flags } = given
    const found = await findIn(client, { ...scopeOf(website), since: undefined, deletedSessions: [] }, flags)
    const kept = found.shared.filter((one) => !found.sessions.includes(one))
    for (const one of kept) io.err(`Left out: ${one} is also linked to another distinct id. --shared includes it.`)
    if (found.sessions.length === 0) throw new Error('Nothing was deleted.')
    await confirm(io, flags, `Delete everything about ${found.sessions.length} sessions?`)
    const purge = (websiteId: string, ids: readonly string[]) => purgeSessionsOf(client, websiteId, ids)
    const tables = await own.sessions.erase(website.id, found.sessions, purge)
    if (!tables) throw new Error('Somebody else is deleting sessions of this website. Run it again.')
    for (const { table, rows } of tables) io.out(`${table}: ${rows} rows deleted`)
  })

async function withWebsite(
  { flags, withChange, withClickHouse }: Given<Flags>,
  work: (website: Website, own: Metadata, client: ClickHouseClient) => Promise<void>,
): Promise<void> {
  const [websiteId, ...others] = websiteFlags(flags.website)
  if (others.length > 0) throw new Misuse('Give --website once.')
  await withChange(async (database) => {
    const website = await existingWebsite(database, websiteId!)
    await withClickHouse(({ client }) => work(website, metadata(database, Date.now()), client))
    return { websiteId: website.id }
  })
}

const scopeOf = ({ id: websiteId, resetAt, deletedSessions }: Website): Scope => ({
  ...{ websiteId, since: resetAt ?? undefined, deletedSessions, only: [] },
  ...{ hidesDistinctIds: false, hidesSessionProperties: false },
})

async function findIn(client: ClickHouseClient, scope: Scope, flags: Flags) {
  const { query, query_params } = compile(sessionsOfPerson(scope, named(flags)).body)
  return personIn(
    await selected<{ id: string; ids: string[] }>(client, query, query_params),
    flags.distinctId,
    flags.shared,
  )
}

function named({ distinctId, session, single }: Flags): NamedPerson {
  if ((distinctId === undefined) === (session === undefined))
    throw new Misuse('Give one of --distinct-id and --session.')
  if (distinctId !== undefined && single) throw new Misuse('Give --single only with --session.')
  return distinctId === undefined
    ? { sessionId: checked(id(), session, '--session'), single: single === true }
    : { distinctId }
}
