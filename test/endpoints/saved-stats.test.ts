import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { notFound, operator, post } from '../support/callers.ts'
import { eventsIn } from '../support/lines.ts'
import { metadata } from '../support/metadata.ts'
import { failed, refused } from '../support/refusals.ts'
import { day, websiteWith } from '../support/website.ts'
import { get, newWebsite, read, send } from '../support/weir.ts'

const steps = [
  { type: 'path', value: '/home*' },
  { type: 'event', value: 'buy', filters: [{ property: 'plan', operator: 'eq', value: 'pro' }] },
]

const websiteId = await websiteWith(
  ...eventsIn(`
    A1 12:00:00  /home     browser=chrome
    A1 12:01:00  buy       browser=chrome plan:pro
    B1 12:00:00  /home     browser=safari
    B1 12:30:00  buy       browser=safari plan:pro
    C1 12:00:00  /pricing  browser=safari
  `),
)
const save = async (family: string, parameters: object): Promise<string> => {
  const reply = await post(`/api/websites/${websiteId}/${family}`, { name: 'Saved', parameters })
  expect(reply.status).toBe(200)
  return reply.body.id
}

const funnelId = await save('funnels', { window: 5, steps, startDate: '2020-01-01', endDate: '2020-01-02' })
const goalId = await save('goals', { type: 'path', value: '/home', startAt: 0, endAt: 1e11 })

const visitors = ({ body }: { body: { visitors: number }[] }): number[] => body.map((one) => one.visitors)

describe('the stats of a saved funnel or goal', () => {
  it('equal the report for the saved parameters with the request’s range and filters', async () => {
    for (const more of [{}, { browser: 'safari' }, { startAt: day.startAt - 1, endAt: day.startAt }]) {
      const asked = { ...day, ...more }
      const funnel = { ...asked, window: 5, steps: JSON.stringify(steps) }
      expect((await read(websiteId, `funnels/${funnelId}/stats`, asked)).body).toStrictEqual(
        (await read(websiteId, 'funnels/stats', funnel)).body,
      )
      expect((await read(websiteId, `goals/${goalId}/stats`, asked)).body).toStrictEqual(
        (await read(websiteId, 'goals/stats', { ...asked, type: 'path', value: '/home' })).body,
      )
    }
    expect(visitors(await read(websiteId, `funnels/${funnelId}/stats`, day))).toStrictEqual([2, 1])
    expect((await read(websiteId, `goals/${goalId}/stats`, day)).body).toStrictEqual({ num: 2, total: 3 })
  })

  it('change with the saved parameters', async () => {
    const path = `/api/websites/${websiteId}/goals/${await save('goals', { type: 'event', value: 'buy' })}`
    const num = async () => (await get(`${path}/stats`, day)).body.num
    expect(await num()).toBe(2)
    await post(path, { name: 'Saved', parameters: { type: 'path', value: '/pricing' } })
    expect(await num()).toBe(1)
    await send(path, { method: 'DELETE', headers: operator })
    failed(await get(`${path}/stats`, day), notFound)
  })

  it('are a 404 for an id that is unknown, or belongs to another website or another type', async () => {
    const other = await newWebsite()
    for (const path of [
      `${websiteId}/funnels/${randomUUID()}`,
      `${websiteId}/goals/${randomUUID()}`,
      `${other}/funnels/${funnelId}`,
      `${other}/goals/${goalId}`,
      `${websiteId}/funnels/${goalId}`,
      `${websiteId}/goals/${funnelId}`,
    ]) {
      failed(await get(`/api/websites/${path}/stats`, day), notFound)
    }
  })

  it('report parameters that were once valid but no longer are', async () => {
    const id = await save('funnels', { window: 5, steps })
    const parameters = JSON.stringify({ window: 5, steps: [steps[0]], old: true })
    await metadata.prepare('UPDATE reports SET parameters = ? WHERE id = ?').bind(parameters, id).run()
    refused(await get(`/api/websites/${websiteId}/funnels/${id}/stats`, day), 'parameters.old')
  })
})
