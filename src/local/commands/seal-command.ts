import type { ClickHouseClient } from '@clickhouse/client-web'
import { type Refused, seal } from '../storage/seal.ts'
import { messageOf, repeatedly } from '../told/troubles.ts'
import type { Given, Io } from './io.ts'
import { websiteFlags } from './named-websites.ts'

interface Flags {
  readonly website?: string[] | undefined
  readonly everyMinute?: true
}

const minute = 60_000

/** Late events often come in groups, so their day is sealed again only after this many milliseconds. */
const patience = 10 * minute

const over = 'Days are sealed again.'

/** The command `seal`. */
export async function sealDays({ io, flags, withClickHouse }: Given<Flags>): Promise<number> {
  const websiteIds = websiteFlags(flags.website)
  return withClickHouse(async ({ client }) => {
    if (flags.everyMinute) {
      io.err('Sealing past days every minute.')
      await repeatedly(sealing(client, websiteIds), { every: minute }, (trouble) => io.err(trouble ?? over))
    }
    return tell(io, await seal(client, { websiteIds, patience: 0 }))
  })
}

/** Returns a function that seals days, and returns the message if this fails, or if days cannot be sealed. */
function sealing(client: ClickHouseClient, websiteIds: readonly string[]): () => Promise<string | undefined> {
  const refused: Refused = new Map()
  return async () => {
    const lines: string[] = []
    const failure = await messageOf(async () => {
      lines.push(...(await seal(client, { websiteIds, refused, patience })).differing.map(aboutDiffering))
    })
    return failure ?? (lines.length > 0 ? lines.join('\n') : undefined)
  }
}

const aboutDiffering = (day: string): string =>
  `${day}: events, hourly_visits and daily_shapes differ. Run check, then rebuild.`

function tell(io: Io, { sealed, differing }: Awaited<ReturnType<typeof seal>>): number {
  io.out(`${sealed} days sealed`)
  for (const day of differing) io.out(aboutDiffering(day))
  return differing.length > 0 ? 1 : 0
}

/** Seals days every minute until `signal` aborts, even in the middle of a seal. Retries failures. */
export function keepSealing(client: ClickHouseClient, tell: (line: string) => void, signal: AbortSignal): void {
  void repeatedly(sealing(client, []), { every: minute, first: minute, signal }, (trouble) =>
    tell(trouble === undefined ? over : `Days are not sealed; answers stay correct: ${trouble}`),
  )
}
