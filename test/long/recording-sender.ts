import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClickHouseClient } from '@clickhouse/client-web'

/** A recorder's request. Its events contain its id, in a replay's text or in a click's path. */
export interface Recorded {
  readonly id: string
  readonly kind: 'record' | 'heatmap'
}

/** A visit may have at most 1,000 chunks. */
const chunksOfVisit = 300

const eventOf = ({ id, kind }: Recorded): object =>
  kind === 'record'
    ? { type: 3, timestamp: Date.now(), data: { source: 1, positions: [], text: `${id} ${'x'.repeat(20_000)}` } }
    : { type: 'click', url: `/${id}`, x: 1, y: 1, viewportW: 9, viewportH: 9, timestamp: Date.now() }

/**
 * Records visits until `isOver`, like a recorder that resends unacknowledged requests with the same bytes. Returns
 * the growing list of acknowledged requests.
 */
export function recordVisits(
  url: string,
  website: string,
  isOver: () => boolean,
): { taken: Recorded[]; end: Promise<void> } {
  const taken: Recorded[] = []
  const headers: Record<string, string> = {
    'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0 ${randomUUID()}`,
  }
  const post = async (path: string, body: string): Promise<Record<string, unknown> | undefined> => {
    const response = await fetch(url + path, { method: 'POST', headers, body }).catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    return response?.ok && text?.startsWith('{') ? JSON.parse(text) : undefined
  }
  const until = async (path: string, body: string, isTaken: (answer: Record<string, unknown>) => boolean) => {
    for (;;) {
      const answer = await post(path, body)
      if (answer && isTaken(answer)) return answer
      if (answer) throw new Error(JSON.stringify(answer))
      await pause(20)
    }
  }
  const run = async () => {
    while (!isOver()) {
      headers['user-agent'] += 'x'
      delete headers['x-umami-cache']
      const view = JSON.stringify({ type: 'event', payload: { website, url: '/' } })
      headers['x-umami-cache'] = String((await until('/api/send', view, ({ cache }) => cache !== undefined)).cache)
      for (let chunk = 0; chunk < chunksOfVisit && !isOver(); chunk++) {
        const sent: Recorded = { id: randomUUID(), kind: chunk % 4 === 0 ? 'heatmap' : 'record' }
        const payload = { website, events: [eventOf(sent)], timestamp: Math.floor(Date.now() / 1000) }
        await until('/api/record', JSON.stringify({ type: sent.kind, payload }), ({ ok }) => ok === true)
        taken.push(sent)
      }
    }
  }
  return { taken, end: run() }
}

/** How often each recorder request is stored, by its id. */
export async function recordedCopies(client: ClickHouseClient): Promise<Map<string, number>> {
  const result = await client.query({
    query: `SELECT extract(events, '"text":"([0-9a-f-]{36}) ') AS id, toInt32(count()) AS copies FROM replay_chunks GROUP BY id
      UNION ALL SELECT substring(url_path, 2) AS id, toInt32(count()) FROM heatmap_events GROUP BY id`,
    format: 'JSONEachRow',
  })
  return new Map((await result.json<{ id: string; copies: number }>()).map(({ id, copies }) => [id, copies]))
}
