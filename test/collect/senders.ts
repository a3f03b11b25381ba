import { randomUUID } from 'node:crypto'
import type { Faults } from './faulty.ts'
import { until, type World } from './world.ts'

/** An event that was sent, whose name is its id, or an identify call for that id. */
export interface Sent {
  readonly website: string
  readonly id: string
  readonly type: 'event' | 'identify'
  readonly more: object
}

export const sent = (website: string, more: object = {}, type: Sent['type'] = 'event'): Sent => ({
  ...{ website, type, more },
  id: randomUUID(),
})

const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'

const bodyOf = ({ website, id, type, more }: Sent, hasId: boolean) => ({
  type,
  payload: {
    ...{ website, url: '/', ...(hasId && { eventId: id }), ...more },
    ...(type === 'event' ? { name: id } : { id }),
  },
})

/**
 * Sends the events once, to this log object or, if undefined, to the website's. Returns undefined if there is no
 * response.
 */
export async function ask(
  { url }: Pick<World, 'url'>,
  log: string | undefined,
  events: readonly Sent[],
  hasId = true,
): Promise<Response | undefined> {
  const bodies = events.map((one) => bodyOf(one, hasId))
  return fetch(`${url}/api/${bodies.length === 1 ? 'send' : 'batch'}`, {
    method: 'POST',
    headers: { ...(log !== undefined && { 'x-log': log }), 'user-agent': userAgent },
    body: JSON.stringify(bodies.length === 1 ? bodies[0] : bodies),
  }).catch(() => undefined)
}

/** Sends the events once. Returns the response if all were acknowledged. Throws for any status but 200 and 503. */
export async function send(weir: World, log: string, events: readonly Sent[], hasId = true) {
  const response = await ask(weir, log, events, hasId)
  if (!response) return undefined
  const body = (await response.json()) as { errors?: number; sessionId: string; visitId: string }
  if (!response.ok && response.status !== 503) throw new Error(JSON.stringify(body))
  return response.ok && !body.errors ? body : undefined
}

export const sendUntilTaken = (weir: World, log: string, events: readonly Sent[]) =>
  until(() => send(weir, log, events))

/** The state of a log object. `points` sets where it will crash. */
export const faults = ({ url }: World, log: string, points: readonly number[] = []): Promise<Faults> =>
  until(async () => {
    const query = `?points=${JSON.stringify(points)}`
    const response = await fetch(`${url}/faults${query}`, { headers: { 'x-log': log } }).catch(() => undefined)
    return response && ((await response.json()) as Faults)
  })

/** From now on, the log object gives the other objects no answer about their events, until `faults` is called. */
export const silence = ({ url }: World, log: string): Promise<Response> =>
  fetch(`${url}/faults?points=[]&silent`, { headers: { 'x-log': log } })

/** Sets the clock of all log objects ahead by this many milliseconds. */
export const setAhead = ({ url }: World, ahead: number): Promise<Response> =>
  fetch(`${url}/faults?points=[]&ahead=${ahead}`, { headers: { 'x-log': 'clock' } })

/** Speeds up the clock and the timers of all log objects by this factor. */
export const setHurry = ({ url }: World, hurry: number): Promise<Response> =>
  fetch(`${url}/faults?points=[]&hurry=${hurry}`, { headers: { 'x-log': 'clock' } })

/** Resolves once ClickHouse has everything from a log object. */
export const emptied = (weir: World, log: string, minutes = 1): Promise<true> =>
  until(async () => (await faults(weir, log)).state?.rows === 0 || undefined, minutes)

/** Resolves once a log object has also recorded that ClickHouse has everything. */
export const noted = (weir: World, log: string): Promise<true> =>
  until(async () => {
    const { passed } = await faults(weir, log)
    const last = (name: string) => passed.findLastIndex((one) => one.startsWith(`after ${name}`))
    return last('INSERT OR REPLACE INTO stored') > last('fetch INTO heartbeats') || undefined
  })

/** How often each event and call of these websites is stored. */
export async function copies({ client }: World, websites: readonly string[]): Promise<Map<string, number>> {
  const result = await client.query({
    query: `SELECT event_name AS id, toInt32(count()) AS copies FROM events
        WHERE website_id IN {websites:Array(UUID)} GROUP BY id
      UNION ALL SELECT distinct_id, toInt32(count()) FROM session_data
        WHERE website_id IN {websites:Array(UUID)} GROUP BY distinct_id`,
    query_params: { websites },
    format: 'JSONEachRow',
  })
  return new Map((await result.json<{ id: string; copies: number }>()).map(({ id, copies }) => [id, copies]))
}

/** The events that are not stored exactly once, with the number of their copies. */
export async function notOnce(weir: World, events: readonly Sent[]): Promise<(Sent & { copies: number })[]> {
  const stored = await copies(weir, [...new Set(events.map(({ website }) => website))])
  return events.map((event) => ({ ...event, copies: stored.get(event.id) ?? 0 })).filter(({ copies }) => copies !== 1)
}

/** The refused events that were set aside. */
export async function setAside({ metadata }: World): Promise<string[]> {
  const { results } = await metadata.prepare('SELECT row FROM set_aside_rows').all<{ row: string }>()
  return results.map(({ row }) => (JSON.parse(row) as { event_name: string }).event_name)
}
