import * as z from 'zod'
import { made } from '../made.ts'
import { compile } from '../query/language/sql.ts'
import { select } from '../query/language/statement.ts'
import { unsealedDays } from '../query/tables/unsealed-days.ts'
import { codeOf } from './failures.ts'
import { sendQuery, within } from './query.ts'
import type { Replica } from './replicas.ts'
import { readWatermark } from './watermark.ts'

/** The state of a server. A figure is undefined if the server does not report it or the Worker may not read it. */
export interface ServerState {
  readonly replica: string
  /** Whether the server answered (even with an error), or may only be slow. */
  readonly isThere: boolean
  /** Seconds since the server started. */
  readonly uptime: number | undefined
  /** The free space on the disk that has the least. */
  readonly freeBytes: number | undefined
  /** Unreadable parts that the server detached. Their rows are missing from every answer. */
  readonly brokenParts: number | undefined
  /** How many website-days of the last week cannot be answered from any chain. */
  readonly unsealedDays: number | undefined
  /** The time of the newest heartbeat, in milliseconds since 1970. */
  readonly asOf: number | undefined
}

const Figures = () => z.object({ uptime: z.number(), freeBytes: z.number(), brokenParts: z.number() })

const figures = compile(
  select(Figures)`
    select
      uptime() as uptime,
      (select min(unreserved_space) from system.disks) as freeBytes,
      (
        select count() from system.detached_parts
        where database = currentDatabase() and startsWith(ifNull(reason, ''), 'broken')
      ) as brokenParts`.body,
)

const Unsealed = () => z.object({ days: z.number() })

const unsealed = compile(select(Unsealed)`select ${unsealedDays} as days`.body)

/** In milliseconds. Short, so that a silent server does not delay a scrape. */
const patience = 900

/** Whether the error comes from the server, or from our own time limit, in which case the server may only be slow. */
const isAnswer = (error: unknown): boolean => codeOf(error) !== '' || /abort/i.test(String(error))

/** Asks a server about its state. Never throws. */
export async function serverState(replica: Replica): Promise<ServerState> {
  const read = (statement: typeof figures) =>
    within(patience, async (signal) => {
      const names = { query_id: `weir-state-${crypto.randomUUID()}` }
      const { data } = await sendQuery({ connection: replica.server, limits: { timeout: 1 } }, statement, signal, names)
      return data[0]
    })
  const [state, days, asOf] = await Promise.allSettled([
    read(figures).then((row) => made(Figures).parse(row)),
    read(unsealed).then((row) => made(Unsealed).parse(row)),
    readWatermark(replica),
  ])
  const { uptime, freeBytes, brokenParts } = state.status === 'fulfilled' ? state.value : ({} as Partial<ServerState>)
  const heartbeat = asOf.status === 'fulfilled' ? asOf.value : undefined
  const unsealedDays = days.status === 'fulfilled' ? days.value.days : undefined
  const isThere = [state, days, asOf].some((one) => one.status === 'fulfilled' || isAnswer(one.reason))
  return { replica: replica.name, isThere, uptime, freeBytes, brokenParts, unsealedDays, asOf: heartbeat }
}
