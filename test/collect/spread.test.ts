import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createKey } from '../../src/local/storage/metadata.ts'
import { curl, firefox } from '../support/collecting.ts'
import { copies, faults, setAhead, setHurry, silence } from './senders.ts'
import { until, type World, world } from './world.ts'

/** Tests websites with several log objects (section 15.6 of the contract). */

let weir: World
let headers: Readonly<Record<string, string>>
beforeAll(async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  weir = await world('faulty.ts', { COLLECT_WINDOW: 20 })
  const key = await createKey(weir.metadata, 'owner', { admin: true, access: 'write' }, Date.now())
  headers = { authorization: `Bearer ${key}` }
})
afterAll(() => weir?.close())

const addresses = Array.from({ length: 24 }, (_, number) => `198.51.100.${number + 1}`)

const post = (path: string, address: string, body: object, agent = firefox): Promise<Response | undefined> =>
  fetch(weir.url + path, {
    method: 'POST',
    headers: { 'user-agent': agent, 'cf-connecting-ip': address },
    body: JSON.stringify(body),
  }).catch(() => undefined)

const sendOnce = (address: string, type: 'event' | 'identify', payload: object, agent?: string) =>
  post('/api/send', address, { type, payload }, agent)

/** Sends an event of each of these websites as one batch. Returns the numbers of those that were not stored. */
async function sendTogether(address: string, websites: readonly string[], ids: readonly string[]) {
  const bodies = websites.map((website, place) => ({ type: 'event', payload: payloadOf(website, ids[place]!) }))
  const answer = await post('/api/batch', address, bodies)
  expect(answer?.status).toBe(200)
  const { details } = (await answer!.json()) as { details: { index: number }[] }
  return details.map(({ index }) => index)
}

const payloadOf = (website: string, id: string) => ({ website, url: '/', name: id, eventId: id })

/** Sends an event until it is stored. Returns its session and visit. */
const viewOf = (website: string, address: string, id: string) =>
  until(async () => {
    const answer = await sendOnce(address, 'event', payloadOf(website, id))
    if (!answer || answer.status === 503) return undefined
    expect(answer.status).toBe(200)
    const { sessionId, visitId } = (await answer.json()) as { sessionId: string; visitId: string }
    return `${sessionId} ${visitId}`
  })

/** Sends an event of each visitor, with these ids or new ones. */
async function viewAll(website: string, ids: readonly string[] = addresses.map(() => randomUUID())) {
  const views = await Promise.all(addresses.map((address, number) => viewOf(website, address, ids[number]!)))
  return { ids, views }
}

/** The index of the object that a visitor with this session and visit has among so many. */
const indexOf = (view: string, objects: number): number => Number.parseInt(view.split(' ')[0]!.slice(-1), 16) % objects

/** The names of the log objects. */
const objects = (): Promise<string[]> =>
  until(async () => {
    const answer = await fetch(`${weir.url}/ready`, { headers })
    const { logs } = (await answer.json()) as { logs?: { name: string }[] }
    return logs?.map(({ name }) => name)
  })

const four = ['log-0', 'log-0/1', 'log-0/2', 'log-0/3']

/** Expects that ClickHouse has each of these events once, and no other event of the website. */
async function expectOnce(website: string, ids: readonly string[]): Promise<void> {
  const all = await until(async () => {
    const found = await copies(weir, [website])
    return ids.every((id) => found.has(id)) ? found : undefined
  })
  expect([...all].sort()).toEqual(ids.map((id) => [id, 1] as const).sort())
}

it('a busy minute doubles a website’s objects; they are removed once they have nothing to remember', async () => {
  const [website] = (await weir.websites(1)) as [string]
  await weir.restart({ COLLECT_BUSY: addresses.length / 4 })
  // For the log, a minute takes 0.6 s.
  await setHurry(weir, 100)
  const sent: string[] = []
  const send = async () => void sent.push(...(await viewAll(website)).ids)
  const isWide = async () => (await objects()).length > 1
  await until(async () => {
    await send()
    return (await isWide()) || undefined
  })
  // A restarted object removes objects that are empty.
  await send()
  await weir.restart({ COLLECT_BUSY: 1_000_000 })
  await send()
  expect(await isWide()).toBe(true)
  await weir.restart()
  // Together with the time that the faster clock above has gained, this is enough.
  await setAhead(weir, 4 * 3_600_000)
  // This stores nothing, but from now on the Worker knows the earlier objects.
  expect((await sendOnce(addresses[0]!, 'identify', { website }))?.status).toBe(200)
  await until(async () => !(await isWide()) || undefined)
  await send()
  await viewAll(website, sent.slice(-addresses.length))
  await expectOnce(website, sent)
  expect((await faults(weir, 'log-0/1')).state?.accepted).toBe(0)
  await weir.restart()
})

it('bots and repeated events do not make a website busy', async () => {
  const [busy, flooded] = (await weir.websites(2)) as [string, string]
  const { ids } = await viewAll(flooded)
  await weir.restart({ COLLECT_BUSY: addresses.length / 4 })
  // For the log, a minute takes 2 s.
  await setHurry(weir, 30)
  await until(async () => {
    await viewAll(busy)
    await viewAll(flooded, ids)
    await Promise.all(addresses.map((address) => sendOnce(address, 'event', payloadOf(flooded, randomUUID()), curl)))
    return (await objects()).length > 1 || undefined
  })
  // A restarted object removes objects that are empty.
  await viewAll(busy)
  await weir.restart({ COLLECT_BUSY: 1_000_000 })
  const ofSecond = async () => (await faults(weir, 'log-0/1')).state?.accepted
  const before = await ofSecond()
  await viewAll(flooded)
  expect(await ofSecond()).toBe(before)
  await viewAll(busy)
  expect(await ofSecond()).not.toBe(before)
})

it('visits continue, and repeats count once, while a website gets four objects that crash', async () => {
  const [website] = (await weir.websites(1)) as [string]
  const { ids, views } = await viewAll(website)
  expect(new Set(views).size).toBe(addresses.length)
  await weir.restart({ COLLECT_SPREAD: 4 })
  for (const [number, log] of four.entries()) await faults(weir, log, [5 + number, 17, 31])
  // Each id is sent again by its visitor, then by the next visitor, who receives the ids of their own event.
  expect((await viewAll(website, ids)).views).toEqual(views)
  expect((await viewAll(website, [...ids.slice(-1), ...ids.slice(0, -1)])).views).toEqual(views)
  const later = [await viewAll(website), await viewAll(website)]
  await weir.restart()
  later.push(await viewAll(website))
  expect((await viewAll(website, later[0]!.ids)).views).toEqual(views)
  expect(later.map((one) => one.views)).toEqual([views, views, views])
  await expectOnce(website, [...ids, ...later.flatMap((one) => one.ids)])
  expect(await objects()).toEqual(four)
  expect(await weir.differences()).toEqual([])
})

it('two visitors who send the same id simultaneously store one event', async () => {
  const [website] = (await weir.websites(1)) as [string]
  await viewAll(website)
  const ids = addresses.map(() => randomUUID())
  const both = await Promise.all([viewAll(website, ids), viewAll(website, ids.toReversed())])
  const alone = await viewAll(website)
  expect(both.map(({ views }) => views)).toEqual([alone.views, alone.views])
  await viewAll(website, ids)
  const found = await until(async () => {
    const all = await copies(weir, [website])
    return ids.every((id) => all.has(id)) ? all : undefined
  })
  expect(ids.filter((id) => found.get(id) !== 1)).toEqual([])
})

it('queries, counts and deletions reach every object', async () => {
  const [website, other] = (await weir.websites(2)) as [string, string]
  await weir.restart({ COLLECT_PATIENCE: 15, LOG_IS_BESIDE: 1 })
  await viewAll(website)
  const path = `${weir.url}/api/websites/${website}`
  const read = async (what: string) => (await fetch(`${path}/${what}`, { headers })).json()
  const hour = `startAt=${Date.now() - 3_600_000}&endAt=${Date.now() + 3_600_000}`
  // From here on, no timer of a log elapses.
  await setHurry(weir, 0.01)
  await viewAll(website)
  // A query waits for the logs for at most a second.
  const stats = async () => (await read(`events/stats?${hour}`)) as { readonly data: { readonly events: number } }
  await until(async () => (await stats()).data.events === 48 || undefined)
  expect(await read('collection')).toMatchObject({ stored: 48 })
  await weir.metadata.prepare('UPDATE websites SET deleted_at = 1 WHERE id = ?1').bind(website).run()
  // Each change to a website clears the logs' cache of existing websites.
  const json = { ...headers, 'content-type': 'application/json' }
  const changed = { method: 'POST', headers: json, body: JSON.stringify({ name: 'Another' }) }
  expect((await fetch(`${weir.url}/api/websites/${other}`, changed)).status).toBe(200)
  const refused = await Promise.all(
    addresses.map((address) => sendOnce(address, 'event', payloadOf(website, randomUUID()))),
  )
  expect(refused.map((answer) => answer?.status)).toEqual(addresses.map(() => 400))
  await setHurry(weir, 1)
})

it('a silent object stops only events of the websites that use it', async () => {
  const all = await weir.websites(3)
  const [wide, narrow, single] = all as [string, string, string]
  const sent = new Map<string, string[]>()
  const view = async (website: string) => {
    const { ids, views } = await viewAll(website)
    sent.set(website, [...(sent.get(website) ?? []), ...ids])
    return views
  }
  await weir.restart({ COLLECT_SPREAD: 4, COLLECT_PATIENCE: 1 })
  const views = await view(wide)
  await weir.restart({ COLLECT_SPREAD: 2 })
  await view(narrow)
  await weir.restart({ COLLECT_SPREAD: 1 })
  for (const website of [single, narrow, wide]) await view(website)

  await silence(weir, 'log-0/3')
  const ids = addresses.map(() => all.map(() => randomUUID()))
  const missing = await Promise.all(addresses.map((address, number) => sendTogether(address, all, ids[number]!)))
  // The silent object itself can ask the others.
  expect(missing).toEqual(views.map((one) => (indexOf(one, 4) === 3 ? [] : [0])))

  // From here on, a log waits 200 s for another object, so nothing goes on without the silent one.
  await setHurry(weir, 0.01)
  const waiting = view(wide)
  await view(narrow)
  await faults(weir, 'log-0/3')
  await setHurry(weir, 1)
  expect(await waiting).toEqual(views)
  // Without the timers that began above, the logs send everything soon.
  await weir.restart()
  for (const [number, address] of addresses.entries()) {
    await until(async () => (await sendTogether(address, all, ids[number]!)).length === 0 || undefined)
  }
  for (const [place, website] of all.entries()) {
    await expectOnce(website, [...sent.get(website)!, ...ids.map((three) => three[place]!)])
  }
})

it('an object that serves websites of different sizes asks the others at most 200 times a second', async () => {
  const [wide, ...narrow] = (await weir.websites(21)) as [string, ...string[]]
  const visitors = Array.from({ length: 96 }, (_, number) => `203.0.113.${number + 1}`)
  await weir.restart({ COLLECT_SPREAD: 8, COLLECT_WINDOW: 1 })
  const views = await Promise.all(visitors.map((address) => viewOf(wide, address, randomUUID())))
  const visitor = visitors[views.findIndex((view) => indexOf(view, 8) === 0)]!
  await weir.restart({ COLLECT_SPREAD: 2 })
  const others = await Promise.all(narrow.map((website) => viewOf(website, visitor, randomUUID())))
  const other = narrow[others.findIndex((view) => indexOf(view, 2) === 0)]!
  await viewOf(wide, visitor, randomUUID())
  const calls = async () => (await faults(weir, 'log-0')).calls
  const before = await calls()
  const pace = 0.02
  await setHurry(weir, pace)
  const since = Date.now()
  await viewOf(wide, visitor, randomUUID())
  expect(await sendTogether(visitor, [other, wide], [randomUUID(), randomUUID()])).toEqual([])
  const passed = (Date.now() - since) * pace
  await setHurry(weir, 1)
  // After a pause, the object may call all seven others at once.
  expect((await calls()) - before).toBeLessThanOrEqual(8 + passed / 5)
})
