import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { messageOf } from '../storage/metadata-faults.ts'
import { type Refused, seal } from '../storage/seal.ts'
import type { Given, Io } from './io.ts'
import { websiteFlags } from './named-websites.ts'

interface Flags {
  readonly website?: string[] | undefined
  readonly everyMinute?: true
}

const minute = 60_000

/** Late events often come in groups, so their day is sealed again only after this many milliseconds. */
const patience = 10 * minute

/** The command `seal`. */
export async function sealDays({ io, flags, withClickHouse }: Given<Flags>): Promise<number> {
  const websiteIds = websiteFlags(flags.website)
  return withClickHouse(async ({ client }) => {
    if (flags.everyMinute) {
      io.err('Sealing past days every minute.')
      let trouble: string | undefined
      const refused: Refused = new Map()
      for (;;) {
        const failure = await troubleOf(client, { websiteIds, refused })
        if (failure !== trouble) io.err(failure ?? 'Days are sealed again.')
        trouble = failure
        await pause(minute)
      }
    }
    return tell(io, await seal(client, { websiteIds, patience: 0 }))
  })
}

/** Seals days. Returns the message if this fails, or if days cannot be sealed. */
async function troubleOf(
  client: ClickHouseClient,
  given: { readonly websiteIds: readonly string[]; readonly refused: Refused },
): Promise<string | undefined> {
  const lines: string[] = []
  const failure = await messageOf(async () => {
    lines.push(...(await seal(client, { ...given, patience })).differing.map(aboutDiffering))
  })
  return failure ?? (lines.length > 0 ? lines.join('\n') : undefined)
}

const aboutDiffering = (day: string): string =>
  `${day}: events, hourly_visits and daily_shapes differ. Run check, then rebuild.`

function tell(io: Io, { sealed, differing }: Awaited<ReturnType<typeof seal>>): number {
  io.out(`${sealed} days sealed`)
  for (const day of differing) io.out(aboutDiffering(day))
  return differing.length > 0 ? 1 : 0
}

/** Seals days every minute, and retries failures. Returns a function that stops this, even in the middle of a seal. */
export function keepSealing(client: ClickHouseClient, failed: (message: string) => void): () => Promise<void> {
  let [isUnderWay, isOver] = [false, false]
  let trouble: string | undefined
  const refused: Refused = new Map()
  const sealNow = async () => {
    isUnderWay = true
    const failure = await troubleOf(client, { websiteIds: [], refused })
    if (failure !== undefined && failure !== trouble && !isOver) failed(failure)
    trouble = failure
    isUnderWay = false
  }
  const timer = setInterval(() => {
    if (!isUnderWay) void sealNow()
  }, minute)
  return async () => {
    isOver = true
    clearInterval(timer)
  }
}
