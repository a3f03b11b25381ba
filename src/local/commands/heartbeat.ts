import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { heartbeatPeriod } from '../../clickhouse/watermark.ts'
import { messageOf } from '../storage/metadata-faults.ts'
import { Misuse } from '../told/misuse.ts'
import type { Given } from './io.ts'

interface Flags {
  readonly source?: string
  readonly once?: true
}

/** The maximum length of a source's name, in characters. */
const longestSource = 100

/** The command `heartbeat`. */
export async function heartbeat({ io, flags, withClickHouse }: Given<Flags>): Promise<void> {
  const { source = '', once } = flags
  if (source.length > longestSource) throw new Misuse(`--source must have ${longestSource} characters at most.`)
  await withClickHouse(async ({ client }) => {
    await beat(client, source)
    if (once) return
    io.err(`Inserts a heartbeat every ${heartbeatPeriod / 1000} seconds.`)
    let trouble: string | undefined
    for (;;) {
      await pause(heartbeatPeriod)
      const failure = await messageOf(() => beat(client, source))
      if (failure !== trouble) io.err(failure ?? 'Heartbeats are inserted again.')
      trouble = failure
    }
  })
}

/** Inserts heartbeats regularly, even after a failed insert. Returns a function that stops this. */
export async function keepBeating(client: ClickHouseClient): Promise<() => Promise<void>> {
  await beat(client, '')
  let isUnderWay = false
  const timer = setInterval(async () => {
    if (isUnderWay) return
    isUnderWay = true
    await beat(client, '').catch(() => {})
    isUnderWay = false
  }, heartbeatPeriod)
  return async () => clearInterval(timer)
}

/** ClickHouse sets the time, because the caller's clock may be wrong. */
const beat = (client: ClickHouseClient, source: string): Promise<unknown> =>
  client.insert({ table: 'heartbeats', values: [{ source }], format: 'JSONEachRow' })
