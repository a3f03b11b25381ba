import type { LogKind } from '../collect/objects.ts'
import { isPatient, mostPatience, toldEvery } from '../collect/patience.ts'
import { heatmapEvents, replayChunks, replayVisits } from '../query/tables/tables.ts'
import { until } from '../until.ts'
import type { Exchange } from './exchange.ts'
import { logNumber, tellAsked } from './logs.ts'

/** Durations are in milliseconds; moments are in milliseconds since 1970. */

/** The maximum time that a question waits for a log on the same machine. */
const waits = 1000

interface Told {
  readonly at: number
  isFlushed: boolean
}

/** The latest notice that this isolate sent to each log to say that somebody is reading its websites' events. */
const told = new Map<string, Told>()

const recorded = new Set([replayChunks, replayVisits, heatmapEvents].map(({ name }) => name))

/**
 * Tells a website's logs, at most once a minute, that somebody is reading its events, so that new events wait at most a
 * second. `tables`: the tables that the question reads; `endsAt`: the last moment that it covers. If the log runs on
 * the same machine, this waits until the log's rows have been stored.
 */
export async function tellLogsAsked(
  websiteId: string,
  tables: readonly string[],
  endsAt: number,
  exchange: Exchange,
): Promise<void> {
  const { env, now, elapsed } = exchange
  if (!env.COLLECT || !isPatient(env.COLLECT_PATIENCE) || endsAt < now - mostPatience) return
  const kinds: readonly LogKind[] = tables.some((name) => recorded.has(name)) ? ['log', 'recordings'] : ['log']
  const all = kinds.map((kind) => toldNow(kind, websiteId, exchange))
  if (!env.LOG_IS_BESIDE) return
  const since = Math.max(...all.map(({ at }) => at))
  await until(() => all.every(({ isFlushed }) => isFlushed), since + waits - now - elapsed())
}

function toldNow(kind: LogKind, websiteId: string, { env, now, elapsed, waitUntil }: Exchange): Told {
  const number = logNumber(websiteId, env)
  const key = `${kind}-${number}`
  const moment = now + elapsed()
  const known = told.get(key)
  // The time of the last notice may be in the future if the clock has been set back since.
  if (known && Math.abs(moment - known.at) < toldEvery) return known
  const one = { at: moment, isFlushed: false }
  told.set(key, one)
  const flushed = () => {
    one.isFlushed = true
  }
  // If a log cannot be reached, the next question notifies it again.
  waitUntil(tellAsked(env, number, kind).then(flushed, () => told.delete(key)))
  return one
}
