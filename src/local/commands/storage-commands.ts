import { serverOf } from '../storage/clickhouse-url.ts'
import { type AppliedUser, applyAccess } from '../storage/clickhouse-users.ts'
import { namesOf } from '../storage/cluster.ts'
import { clusterScript, migrateEvents } from '../storage/migrations.ts'
import { Misuse } from '../told/misuse.ts'
import type { Given, Io } from './io.ts'

interface Flags {
  readonly cluster?: string
  readonly print?: true
}

/** The command `migrate`. */
export async function migrate({ flags, io, withClickHouse, withMetadata }: Given<Flags>): Promise<void> {
  const { cluster } = flags
  if (flags.print) {
    if (cluster === undefined) throw new Misuse('--print needs --cluster NAME. The files of sql/events show the rest.')
    const database = io.env.CLICKHOUSE_URL ? serverOf(io.env).database : 'weir'
    return io.out(clusterScript(namesOf(cluster, database)))
  }
  if (cluster !== undefined) refuseEmbedded(io, 'Set CLICKHOUSE_URL to a server of the cluster.')
  await withClickHouse(async ({ client, server }) => {
    const events = await migrateEvents(client, server, undefined, cluster)
    const applied = [...events, ...(await withMetadata(async (_, migrated) => migrated))]
    io.out(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Everything is already applied.')
  })
}

/** The command `access`. */
export async function access({ flags: { cluster }, io, withClickHouse }: Given<Flags>): Promise<void> {
  refuseEmbedded(io, 'Set CLICKHOUSE_URL to a server and a user who may create users: the embedded engine has none.')
  await withClickHouse(async ({ client, server }) => {
    const names = cluster === undefined ? undefined : namesOf(cluster, server.database)
    for (const user of await applyAccess(client, io.env, names)) printUser(io, user)
  })
}

function refuseEmbedded({ env }: Io, message: string): void {
  if (!env.CLICKHOUSE_URL) throw new Misuse(message)
}

function printUser(io: Io, { name, variable, password }: AppliedUser): void {
  if (password === 'given') io.out(`${name} has the password in ${variable}.`)
  else if (password === 'kept') io.out(`${name} keeps its password. ${variable} sets a new one.`)
  else {
    io.out(`${name} ${password.made}`)
    io.err(`The password of ${name} is shown only now.`)
  }
}
