import * as z from 'zod'
import { freePort } from '../machine/port.ts'
import { urlOf } from '../storage/clickhouse.ts'
import { migrateEvents } from '../storage/migrations.ts'
import { checked } from '../told/misuse.ts'
import type { Given } from './io.ts'

interface Flags {
  readonly port: string
}

const Port = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'Must be a port from 0 to 65535.' })
  .transform(Number)
  .refine((port) => port <= 65_535, { error: 'Must be a port from 0 to 65535.' })

/**
 * The command `engine`. It prints the URL and runs until it receives a signal. Throws if the engine ends unexpectedly.
 */
export async function engine({ io, flags, withEngine }: Given<Flags>): Promise<void> {
  const port = checked(Port, flags.port, '--port')
  if (port !== 0) await freePort('--port', port)
  await withEngine(port, async ({ server, client, ended }) => {
    await migrateEvents(client, server)
    io.out(urlOf(server))
    io.err('ClickHouse runs until it is stopped.')
    const stopped = new Promise<undefined>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(undefined))
    })
    const how = await Promise.race([stopped, ended])
    if (how !== undefined) throw new Error(`ClickHouse ended unexpectedly (${how}).`)
  })
}
