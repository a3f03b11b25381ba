import { UmamiClient } from '@umami/api-client'
import { describe, expect, it } from 'vitest'
import { forbidden, moment, newShare, operator, post, remove } from '../../support/callers.ts'
import { newPerson, websiteOf } from '../../support/people.ts'
import { failed, refused } from '../../support/refusals.ts'
import { get, pathOf, type Reply, running, send } from '../../support/weir.ts'

const owner = await newPerson()
const websiteId = await websiteOf({ userId: owner.id })

const annotationsOf = (id: string): string => `/api/websites/${id}/annotations`
const add = (date: string, note: string, id = websiteId, headers = operator): Promise<Reply> =>
  post(annotationsOf(id), { date, note }, headers)

describe('an annotation', () => {
  it('is dated by a day or an exact time', async () => {
    const { body: made } = await add('2025-10-15', 'Released 1.0')
    expect(made).toStrictEqual({
      ...{ id: expect.any(String), websiteId, userId: null, note: 'Released 1.0' },
      ...{ date: '2025-10-15T00:00:00.000Z', allDay: true, createdAt: moment, updatedAt: moment },
    })
    const change = { note: 'Released 1.1', date: '2025-10-15T16:26:28.5+02:00', allDay: false }
    const changed = await post(`${annotationsOf(websiteId)}/${made.id}`, change)
    const moved = { date: '2025-10-15T14:26:28.500Z', updatedAt: moment }
    expect(changed.body).toStrictEqual({ ...made, ...change, ...moved })
  })

  it('includes its author, but not through a share', async () => {
    const { body } = await add('2020-01-01', 'mine', websiteId, owner.headers)
    expect(body.userId).toBe(owner.id)
    const share = await newShare(websiteId, { revenue: true })
    const path = `${annotationsOf(websiteId)}/${body.id}`
    expect((await send(path, share)).body).toStrictEqual({ ...body, userId: null })
    expect((await send(annotationsOf(websiteId), share)).body.data[0].userId).toBeNull()
    const closed = await newShare(websiteId, { revenue: true, allowFilter: false })
    failed(await send(path, closed), forbidden)
    failed(await send(annotationsOf(websiteId), closed), forbidden)
    failed(await post(path, { date: '2020-01-01', note: 'theirs' }, share.headers), forbidden)
  })

  it('is sorted by date, latest first; a range includes its first and last millisecond', async () => {
    const id = await websiteOf()
    for (const [date, note] of [
      ['2025-01-02', 'b'],
      ['2025-01-01T23:59:59.999Z', 'a'],
      ['2025-01-03', 'c'],
    ] as const) {
      await add(date, note, id)
    }
    const notes = async (query: Readonly<Record<string, string | number>>) =>
      (await get(annotationsOf(id), query)).body.data.map(({ note }: { note: string }) => note).join('')
    const day = { startAt: Date.UTC(2025, 0, 2), endAt: Date.UTC(2025, 0, 3) }
    expect(await notes({})).toBe('cba')
    expect(await notes(day)).toBe('cb')
    expect(await notes({ startAt: day.startAt - 1, endAt: day.endAt - 1 })).toBe('ba')
    expect(await notes({ page: 2, pageSize: 2, sortDescending: 'false' })).toBe('a')
    expect((await get(annotationsOf(id), { maxResults: 1 })).body).toMatchObject({ count: 1, isCapped: true })
    await post(`/api/websites/${id}/reset`, undefined)
    expect(await notes({})).toBe('cba')
  })
})

describe('the recorder’s configuration', () => {
  const recorder = (id: string) => `/api/websites/${id}/recorder`

  it('is set by POST /api/websites/:websiteId, with defaults', async () => {
    const client = new UmamiClient({ baseUrl: `${running.url}/api`, apiKey: running.adminKey })
    const id = await websiteOf()
    const answered = () => client.getWebsiteRecorderConfig({ websiteId: id })
    expect(await answered()).toStrictEqual({ enabled: false })
    const replayConfig = { heatmapEnabled: true, sampleRate: 1, blockSelector: '.private' }
    const website = await client.updateWebsite({ websiteId: id, replayConfig })
    expect(website).toMatchObject({ recorderEnabled: true, replayConfig })
    const enabled = {
      ...{ enabled: true, replayEnabled: false, heatmapEnabled: true, sampleRate: 1, heatmapSampleRate: 0.15 },
      ...{ maskLevel: 'moderate', maxDuration: 300_000, blockSelector: '.private' },
    }
    expect(await answered()).toStrictEqual(enabled)
    await post(`/api/websites/${id}`, { replayConfig: { replayEnabled: false, sampleRate: 1 } })
    expect(await answered()).toStrictEqual({ enabled: false })
    await post(`/api/websites/${id}`, { replayConfig: { replayEnabled: true } })
    expect(await answered()).toMatchObject({ enabled: true, replayEnabled: true, sampleRate: 0.15 })
    await client.updateWebsite({ websiteId: id, replayConfig: null })
    expect(await answered()).toStrictEqual({ enabled: false })
    await post(`/api/websites/${id}`, { replayConfig: { replayEnabled: true } })
    await remove(`/api/websites/${id}`)
    expect(await answered()).toStrictEqual({ enabled: false })
  })

  it('is public; browsers may store it for a minute, other caches for ten seconds', async () => {
    const { status, headers } = await send(recorder(websiteId), { headers: { origin: 'https://a.example' } })
    expect([status, headers.get('cache-control'), headers.get('access-control-allow-origin')]).toEqual([
      200,
      'public, s-maxage=10, max-age=60',
      '*',
    ])
    const unknown = await send(recorder('x'))
    refused(unknown, 'websiteId')
    expect(unknown.headers.get('cache-control')).toBe('private, no-cache')
    expect((await send(pathOf('/health'))).headers.get('cache-control')).toBe('private, no-cache')
  })
})
