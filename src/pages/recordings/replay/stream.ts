import type { Session } from '../../session/session.ts'

/** The ids of a recorded visit. */
export interface ReplayIds {
  readonly websiteId: string
  readonly replayId: string
}

/** Weir refused the replay. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number) {
    super(`The replay was refused with status ${status}.`)
    this.status = status
  }
}

/** The events of a replay as lines of JSON, as they arrive. Throws a `Refusal`. */
export async function* linesOf(
  { token, fetch }: Pick<Session, 'token' | 'fetch'>,
  { websiteId, replayId }: ReplayIds,
  signal: AbortSignal,
): AsyncGenerator<readonly string[]> {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/x-ndjson' }
  const response = await fetch(`/api/websites/${websiteId}/replays/${replayId}`, { headers, signal })
  if (!response.ok || !response.body) throw new Refusal(response.status)
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  // A line may arrive in many pieces, which are joined only once, at the end of the line.
  let pieces: string[] = []
  for (;;) {
    const { done, value = '' } = await reader.read()
    if (done) return
    pieces.push(value)
    if (!value.includes('\n')) continue
    const lines = pieces.join('').split('\n')
    pieces = [lines.pop() ?? '']
    yield lines
  }
}
