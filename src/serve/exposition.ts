import { hashOf } from '../access/api-key.ts'
import { challenge } from '../access/credential.ts'
import { serverState } from '../clickhouse/server-state.ts'
import { ApiError } from '../errors.ts'
import { replicasOf } from './clickhouse-route.ts'
import type { Exchange } from './exchange.ts'
import { logStates, recordingStates } from './logs.ts'
import { metricsText } from './metrics.ts'
import { nothingHere } from './pages.ts'

/** Answers `/metrics` to callers with the token. Without it, anybody could read a local Weir's port, even web pages. */
export async function answerMetrics({ env, request, respond, now }: Exchange): Promise<Response> {
  const { METRICS_TOKEN } = env
  if (!METRICS_TOKEN) throw nothingHere()
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
  // Comparing hashes of equal length takes the same time for any guess.
  if ((await hashOf(given)) !== (await hashOf(METRICS_TOKEN))) throw wrongToken()
  const { all } = replicasOf(env)
  const states = [Promise.all(all.map(serverState)), logStates(env), recordingStates(env)] as const
  const [servers, logs, recorded] = await Promise.all(states)
  const text = metricsText(all, servers, logs, recorded, now)
  return respond(text, 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' })
}

const wrongToken = (): ApiError =>
  new ApiError('unauthorized', 'Send the token of the metrics as Authorization: Bearer ….', { headers: challenge })
