import { type AppliedUser, applyAccess } from './clickhouse-users.ts'
import type { Given, Io } from './io.ts'
import { migrateEvents } from './migrations.ts'
import { Misuse } from './misuse.ts'

/** The command `migrate`. */
export const migrate = ({ io, withClickHouse, withMetadata }: Given<object>): Promise<void> =>
  withClickHouse(async ({ client, server }) => {
    const events = await migrateEvents(client, server)
    const applied = [...events, ...(await withMetadata(async (_, migrated) => migrated))]
    io.out(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'Everything is already applied.')
  })

/** The command `access`. */
export async function access({ io, withClickHouse }: Given<object>): Promise<void> {
  if (!io.env.CLICKHOUSE_URL) {
    throw new Misuse('Set CLICKHOUSE_URL to a server and a user who may create users: the embedded engine has none.')
  }
  await withClickHouse(async ({ client }) => {
    for (const user of await applyAccess(client, io.env)) printUser(io, user)
  })
}

function printUser(io: Io, { name, variable, password }: AppliedUser): void {
  if (password === 'given') io.out(`${name} has the password of ${variable}.`)
  else if (password === 'kept') io.out(`${name} keeps its password. ${variable} gives it another.`)
  else {
    io.out(`${name} ${password.made}`)
    io.err(`The password of ${name} is shown only now.`)
  }
}
