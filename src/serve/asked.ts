import { isPatient, mostPatience, toldEvery } from '../collect/patience.ts'
import { heatmapEvents, replayChunks, replayVisits } from '../query/tables/tables.ts'
import { until } from '../until.ts'
import type { Exchange } from './exchange.ts'
import { type LogKind, logNumber, tellAsked } from './logs.ts'

/** Times are in milliseconds, moments in milliseconds since 1970. */

/** The longest time that a question waits for a log on the same machine. */
const waits = 1000

interface Told {
  readonly at: number
  isFlushed: boolean
}

/** When this isolate told each log object that somebody asks. */
const told = new Map<string, Told>()

const recorded = new Set([replayChunks, replayVisits, heatmapEvents].map(({ name }) => name))

/**
 * Tells the logs of a website that somebody asks, once a minute: so its events do not wait longer than a second.
 * `tables`: those that the question reads; `endsAt`: the last moment that it is about. Only a log on the same machine
 * is waited for, until what it had is stored.
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
  // One of a later moment was told before the clock was set back.
  if (known && Math.abs(moment - known.at) < toldEvery) return known
  const one = { at: moment, isFlushed: false }
  told.set(key, one)
  const flushed = () => {
    one.isFlushed = true
  }
  // A log that was not reached is told with the next question.
  waitUntil(tellAsked(env, number, kind).then(flushed, () => told.delete(key)))
  return one
}
