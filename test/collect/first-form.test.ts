import { randomUUID } from 'node:crypto'
import { afterEach, expect, it } from 'vitest'
import { Packed, widened, wordsOfUuid } from '../../src/collect/packed.ts'
import { firefox } from '../support/collecting.ts'
import { until, type World, world } from './world.ts'

/** Tests logs of the previous version: their waiting events are stored, and their known events count only once. */

let weir: World | undefined

afterEach(() => weir?.close())

interface Old {
  readonly website: string
  readonly eventId: string
  readonly session: string
  readonly visit: string
  readonly line: string
}

function oldEvent(website: string): Old {
  const [eventId, session, visit] = [randomUUID(), randomUUID(), randomUUID()]
  const created_at = new Date().toISOString().replace('T', ' ').slice(0, -1)
  const row = {
    ...{ website_id: website, event_id: eventId, session_id: session, visit_id: visit },
    created_at,
    event_type: 1,
  }
  return { website, eventId, session, visit, line: `${JSON.stringify(row)}\n` }
}

/** The packed words of an event: its ids, its arrival, its row's length, and whether it happened when it arrived. */
const wordsOf = ({ website, eventId, session, visit, line }: Old, at: number): number[] => [
  ...[website, eventId, session, visit].flatMap((id) => [...wordsOfUuid(id)]),
  ...new Uint32Array(new Float64Array([at]).buffer),
  ...[line.length, 1],
]

it('logs written by the previous version are read with all of their contents', () => {
  const [one, other] = [oldEvent(randomUUID()), oldEvent(randomUUID())]
  const bytes = new Uint8Array(Uint32Array.from([...wordsOf(one, 1), ...wordsOf(other, 2)]).buffer)
  const packed = new Packed(widened(bytes))
  expect(packed.count).toBe(2)
  for (const [index, { website, eventId, session, visit, line }] of [one, other].entries()) {
    expect(packed.find({ sourceId: website, eventId }, 0)).toEqual({
      ...{ sourceId: website, eventId, sessionId: session, visitId: visit, at: index + 1, bytes: line.length },
      ...{ isNow: true, anonymousId: '00000000-0000-0000-0000-000000000000', owner: '0'.repeat(16) },
    })
  }
})

it('events in such logs are sent to ClickHouse, and count once even if repeated', async () => {
  const website = randomUUID()
  const [waiting, archived] = [oldEvent(website), oldEvent(website)]
  const form = {
    waiting: [{ line: waiting.line, packed: wordsOf(waiting, Date.now()) }],
    archived: [wordsOf(archived, Date.now())],
  }
  weir = await world('first-form.ts', { FIRST_FORM: JSON.stringify(form) })
  const { client, url, metadata } = weir
  await metadata
    .prepare("INSERT INTO websites (id, name, domain, search, created_at, updated_at) VALUES (?1, '', '', '', 0, 0)")
    .bind(website)
    .run()
  const post = async (eventId: string) => {
    const response = await fetch(`${url}/api/send`, {
      method: 'POST',
      headers: { 'user-agent': firefox },
      body: JSON.stringify({ type: 'event', payload: { website, eventId, name: 'repeat' } }),
    })
    expect(response.status).toBe(200)
  }
  const ids = async () => {
    const query = `SELECT toString(event_id) AS id, toString(session_id) AS session FROM events WHERE website_id = '${website}'`
    return (await client.query({ query, format: 'JSONEachRow' })).json<{ id: string; session: string }>()
  }
  const more = randomUUID()
  for (const eventId of [waiting.eventId, archived.eventId, more]) await post(eventId)
  await until(async () => (await ids()).length >= 2 || undefined)
  const found = await ids()
  expect(new Set(found.map(({ id }) => id))).toEqual(new Set([waiting.eventId, more]))
  expect(found.find(({ id }) => id === waiting.eventId)!.session).toBe(waiting.session)
})
