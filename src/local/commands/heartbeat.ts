import type { ClickHouseClient } from '@clickhouse/client-web'
import { heartbeatPeriod } from '../../clickhouse/watermark.ts'
import { Misuse } from '../told/misuse.ts'
import { messageOf, repeatedly } from '../told/troubles.ts'
import type { Given } from './io.ts'

interface Flags {
  readonly source?: string
  readonly once?: true
}

/** The maximum length of a source's name, in characters. */
const longestSource = 100

const over = 'Heartbeats are inserted again.'

/** The command `heartbeat`. */
export async function heartbeat({ io, flags, withClickHouse }: Given<Flags>): Promise<void> {
  const { source = '', once } = flags
  if (source.length > longestSource) throw new Misuse(`--source must have ${longestSource} characters at most.`)
  await withClickHouse(async ({ client }) => {
    await beat(client, source)
    if (once) return
    io.err(`Inserts a heartbeat every ${heartbeatPeriod / 1000} seconds.`)
    const times = { every: heartbeatPeriod, first: heartbeatPeriod }
    await repeatedly(
      () => messageOf(() => beat(client, source)),
      times,
      (trouble) => io.err(trouble ?? over),
    )
  })
}

/** Inserts a heartbeat, and then regularly more of them until `signal` aborts, even after a failed insert. */
export async function keepBeating(
  client: ClickHouseClient,
  tell: (line: string) => void,
  signal: AbortSignal,
  every = heartbeatPeriod,
): Promise<void> {
  await beat(client, '')
  void repeatedly(
    () => messageOf(() => beat(client, '')),
    { every, first: every, signal },
    (trouble) => tell(trouble === undefined ? over : `Heartbeats are not inserted, so answers seem old: ${trouble}`),
  )
}

/** ClickHouse sets the time, because the caller's clock may be wrong. */
const beat = (client: ClickHouseClient, source: string): Promise<unknown> =>
  client.insert({ table: 'heartbeats', values: [{ source }], format: 'JSONEachRow' })
