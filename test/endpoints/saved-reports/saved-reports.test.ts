import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { connected } from '../../mcp/client.ts'
import { forbidden, moment, newShare, notFound, operator, post, remove } from '../../support/callers.ts'
import { metadata } from '../../support/metadata.ts'
import { insert as insertRow, newPerson, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { get, pathOf, type Reply, send } from '../../support/weir.ts'

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })

const steps = [
  { type: 'path', value: '/pricing*' },
  { type: 'event', value: 'buy', filters: [{ property: 'plan', operator: 'eq', value: 'pro' }] },
]

/** Valid parameters for each type. */
const good: Readonly<Record<string, object>> = {
  attribution: { model: 'first-click', type: 'event', step: 'buy', currency: 'EUR' },
  breakdown: { fields: ['browser', 'os'] },
  funnel: { window: 60, steps },
  goal: { type: 'path', value: '/thanks' },
  heatmap: { mode: 'scroll', urlPath: '/' },
  journey: { steps: 5, startStep: '/' },
  performance: { metric: 'lcp' },
  retention: { timezone: 'Europe/Berlin' },
  revenue: { currency: 'EUR', compare: 'yoy' },
  utm: { startDate: '2025-10-01', endDate: '2025-10-31' },
}

const save = (type: string, parameters: unknown, id = websiteId): Promise<Reply> =>
  post('/api/reports', { websiteId: id, type, name: `A ${type}`, parameters }, owner.headers)

describe('a saved report', () => {
  it('can be created with valid parameters, read, replaced and deleted, whatever its type', async () => {
    for (const [type, parameters] of Object.entries(good)) {
      const { body: made } = await save(type, parameters)
      expect(made).toStrictEqual({
        ...{ id: expect.any(String), userId: owner.id, websiteId, type },
        name: `A ${type}`,
        ...{ description: '', parameters, createdAt: moment, updatedAt: moment },
      })
      const path = `/api/reports/${made.id}`
      expect((await send(path, owner)).body).toStrictEqual(made)
      const body = { websiteId, type, name: 'Other', description: 'd', parameters }
      const { body: updated } = await post(path, body, owner.headers)
      expect(updated).toStrictEqual({ ...made, name: 'Other', description: 'd', updatedAt: moment })
      refused(await post(path, { ...body, type: type === 'utm' ? 'retention' : 'utm', parameters: {} }), 'type')
      refused(await post(path, { ...body, websiteId: randomUUID() }), 'websiteId')
      expect((await remove(path, owner.headers)).body).toStrictEqual({ ok: true })
      failed(await remove(path, owner.headers), notFound)
    }
  })

  it('is refused if its parameters are invalid for its type; the error lists them', async () => {
    const step = (change: object) => [{ ...steps[0], ...change }, steps[1]]
    const wrong: readonly (readonly [type: string, change: object, name: string])[] = [
      ['attribution', { model: 'linear' }, 'model'],
      ['attribution', { step: '' }, 'step'],
      ['breakdown', { fields: [] }, 'fields'],
      ['breakdown', { fields: ['browser', 'browser'] }, 'fields'],
      ['breakdown', { fields: ['entry'] }, 'fields'],
      ...[0, -1, 525_601, 'x', null, '1e9'].map((window) => ['funnel', { window }, 'window'] as const),
      ...[[], [steps[0]], Array(9).fill(steps[0]), {}, 'x', step({ type: 'view' }), step({ value: '' })].map(
        (some) => ['funnel', { steps: some }, 'steps'] as const,
      ),
      ['funnel', { steps: step({ filters: [{ property: 'a', operator: 'eq', value: 'b' }] }) }, 'steps'],
      ['funnel', { steps: step({ surprise: 1 }) }, 'steps'],
      ['goal', { type: 'view' }, 'type'],
      ['goal', { value: '' }, 'value'],
      ['goal', { value: 'x'.repeat(501) }, 'value'],
      ['goal', { surprise: 1 }, 'surprise'],
      ['goal', { value: { path: '/' } }, 'value'],
      ['heatmap', { mode: 'move' }, 'mode'],
      ['journey', { eventType: 'view' }, 'eventType'],
      ['journey', { browser: 'chrome' }, 'browser'],
      ...[1, 8, 2.5].map((some) => ['journey', { steps: some }, 'steps'] as const),
      ['performance', { metric: 'fid' }, 'metric'],
      ['retention', { timezone: 'Mars/Olympus' }, 'timezone'],
      ['revenue', { currency: 'ABCDEFGHIJK' }, 'currency'],
      ['utm', { endDate: '2025-09-30' }, 'endDate'],
    ]
    for (const [type, change, name] of wrong) {
      refused(await save(type, { ...good[type], ...change }), `parameters.${name}`)
    }
    refused(await save('goal', {}), 'parameters.type', 'parameters.value')
    for (const parameters of [[], 'x', null, undefined]) refused(await save('utm', parameters), 'parameters')
    refused(await save('insights', {}), 'type')
  })

  it('is listed by website and type, newest first', async () => {
    const id = await websiteOf({ userId: owner.id })
    const made = [await save('goal', good.goal, id), await save('utm', {}, id), await save('goal', good.goal, id)]
    const website = { domain: 'example.com', userId: owner.id }
    const listed = made.map(({ body }) => ({ ...body, website })).reverse()
    for (const path of [`/api/reports?websiteId=${id}`, `/api/websites/${id}/reports`]) {
      const ask = async (query: object) =>
        (await send(`${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ ...query })}`, owner)).body
      expect((await ask({})).data).toStrictEqual(listed)
      expect((await ask({ type: 'goal' })).count).toBe(2)
      expect((await ask({ search: 'A UTM' })).data).toStrictEqual([listed[1]])
      expect((await ask({ page: '2', pageSize: '2' })).data).toStrictEqual([listed[2]])
    }
  })

  it('appears in a share’s list if the requested type’s section is open', async () => {
    const id = await websiteOf({ userId: owner.id })
    await save('goal', good.goal, id)
    const { headers } = await newShare(id, { goals: true, revenue: true })
    const list = (query: object) => send(pathOf('/api/reports', { websiteId: id, ...query }), { headers })
    const [one] = (await list({ type: 'goal' })).body.data
    expect(one).toMatchObject({ userId: null, website: { domain: 'example.com', userId: null } })
    expect((await list({ type: 'revenue' })).body.data).toStrictEqual([])
    for (const type of ['funnel', 'heatmap', 'utm']) failed(await list({ type }), forbidden)
    failed(await list({}), forbidden)
    expect((await send(`/api/websites/${id}/goals`, { headers })).body.data).toStrictEqual([one])
    expect((await send(`/api/websites/${id}/goals/${one.id}`, { headers })).body).toMatchObject({ userId: null })
    failed(await send(`/api/websites/${id}/funnels`, { headers }), forbidden)
    failed(await send(`/api/reports/${one.id}`, { headers }), forbidden)
  })
})

describe('saved funnels and goals', () => {
  /** The same parameters in forms that a query string may have. */
  const forms: readonly (readonly [type: 'funnel' | 'goal' | 'breakdown', given: object, kept: object])[] = [
    ['funnel', { window: '60', steps: JSON.stringify(steps) }, { window: 60, steps }],
    ['goal', { type: 'path', value: 404 }, { type: 'path', value: '404' }],
    ['breakdown', { fields: '["browser","os"]' }, { fields: ['browser', 'os'] }],
    ['breakdown', { fields: 'browser,os' }, { fields: 'browser,os' }],
  ]

  it('have parameters in their own types, whatever form a client sent', async () => {
    const id = await websiteOf({ userId: owner.id })
    for (const [type, parameters, kept] of forms) {
      const body = { name: 'x', parameters }
      const { body: made } = await save(type, parameters, id)
      expect(made.parameters).toStrictEqual(kept)
      const path = `/api/reports/${made.id}`
      const again = { ...body, websiteId: id, type, parameters }
      expect((await post(path, again, owner.headers)).body.parameters).toStrictEqual(kept)
      const [row] = (await metadata.prepare('SELECT parameters FROM reports WHERE id = ?1').bind(made.id).all()).results
      expect(JSON.parse(String(row!.parameters))).toStrictEqual(kept)
      if (type === 'breakdown') continue
      const ofType = `/api/websites/${id}/${type}s`
      const { body: other } = await post(ofType, body, owner.headers)
      expect(other.parameters).toStrictEqual(kept)
      expect((await post(`${ofType}/${other.id}`, body, owner.headers)).body.parameters).toStrictEqual(kept)
    }
  })

  it('have them in their own types even if they were stored otherwise, also for assistants', async () => {
    const id = await websiteOf({ userId: owner.id })
    const old = { website_id: id, user_id: owner.id, description: '', search: 'x', created_at: 1, updated_at: 1 }
    for (const [type, parameters, kept] of forms.slice(0, 2)) {
      const row = { ...old, id: randomUUID(), type, name: 'x', parameters: JSON.stringify(parameters) }
      await insertRow('reports', row)
      const { data } = (await send(`/api/websites/${id}/${type}s`, owner)).body
      expect(data.map((one: { parameters: object }) => one.parameters)).toStrictEqual([kept])
    }
    const client = await connected(operator, '2025-11-25')
    const ask = async (name: string) =>
      (await client.callTool({ name, arguments: { websiteId: id } })).structuredContent
    expect(await ask('list_funnels')).toMatchObject({ funnels: [{ steps, windowMinutes: 60 }] })
    expect(await ask('get_goals')).toMatchObject({ goals: [{ type: 'path', value: '404' }] })
    await client.close()
  })

  it('are a 404 under the other type’s path, and nothing changes', async () => {
    const { body: goal } = await save('goal', good.goal)
    const asFunnel = `/api/websites/${websiteId}/funnels/${goal.id}`
    failed(await send(asFunnel, owner), notFound)
    failed(await post(asFunnel, { name: 'x', parameters: good.funnel }, owner.headers), notFound)
    failed(await remove(asFunnel, owner.headers), notFound)
    expect((await get(`/api/reports/${goal.id}`)).body).toStrictEqual(goal)
    const path = `/api/websites/${websiteId}/funnels`
    refused(await post(path, { name: 'x', parameters: { ...good.funnel, window: 525_601 } }), 'parameters.window')
    refused(await post(path, { name: 'x', parameters: {} }, operator), 'parameters.window', 'parameters.steps')
  })
})
