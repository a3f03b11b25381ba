import { hashOf } from '../access/api-key.ts'
import { challenge } from '../access/credential.ts'
import { serverState } from '../clickhouse/server-state.ts'
import { ApiError } from '../errors.ts'
import { replicasOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { logStates, recordingStates } from './logs.ts'
import { metricsText } from './metrics.ts'
import { nothingHere } from './pages.ts'

/**
 * Answers `/metrics` for callers with the token, which is needed because anybody, even a web page, can reach a local
 * Weir's port.
 */
export async function answerMetrics({ env, request, respond, now, metadata }: Exchange): Promise<Response> {
  const { METRICS_TOKEN } = env
  if (!METRICS_TOKEN) throw nothingHere()
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  // Compares hashes, because they have equal lengths, so that the comparison takes equally long for any guess.
  if ((await hashOf(given)) !== (await hashOf(METRICS_TOKEN))) throw wrongToken()
  const { all } = replicasOf(env)
  const states = [Promise.all(all.map(serverState)), logStates(env), recordingStates(env)] as const
  const [servers, logs, recorded, purgedAt] = await Promise.all([...states, purgedAtIn(metadata.store)])
  const text = metricsText(all, servers, logs, recorded, { now, purgedAt })
  return respond(text, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
}

/** When old recordings were last deleted, in milliseconds since 1970; 0 if never. Undefined if D1 cannot be read. */
const purgedAtIn = (store: Exchange['metadata']['store']): Promise<number | undefined> =>
  store.first<{ done_at: number }>("SELECT done_at FROM daily_work WHERE name = 'recordings'").then(
    (row) => row?.done_at ?? 0,
    () => undefined,
  )

const wrongToken = (): ApiError =>
  new ApiError('unauthorized', 'Send the metrics token as Authorization: Bearer ….', { headers: challenge })
