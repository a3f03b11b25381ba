import { execFileSync } from 'node:child_process'
import { beforeAll, expect, it } from 'vitest'
import { type components, weirClient } from 'weir/client'
import { event } from './oracle/fixtures.ts'
import { share } from './support/ways.ts'
import { add, day } from './support/website.ts'
import { get, running } from './support/weir.ts'

let websiteId: string
let slug: string

beforeAll(async () => {
  ;({ websiteId, slug } = await share({ overview: true }))
  await add(websiteId, event({ event_type: 1, url_path: '/pricing', created_at: '2025-10-15 12:00:00.000' }))
})

it('is packed with its types, which npm install and npm run check make', () => {
  const packed = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { encoding: 'utf8' })
  const [{ files }] = JSON.parse(packed) as [{ files: { path: string }[] }]
  const ofClient = files.map(({ path }) => path).filter((path) => path.startsWith('src/client/'))
  const names = ['generate.ts', 'index.d.ts', 'index.js', 'openapi.d.ts', 'package.json']
  expect(ofClient.sort()).toEqual(names.map((name) => `src/client/${name}`))
})

it('reads with GET and with POST, with a key', async () => {
  const client = weirClient({ url: running.url, key: running.adminKey })
  const path = { websiteId }
  const stats = await client.GET('/api/websites/{websiteId}/stats', {
    params: { path, query: { ...day, browser: [''] } },
  })
  expect(stats.data?.pageviews).toBe(1)
  expect(stats.data).toEqual((await get(`/api/websites/${websiteId}/stats`, { ...day, browser: '' })).body)
  const goal = await client.POST('/api/reports/goal', {
    body: { websiteId, type: 'goal', filters: {}, parameters: { ...day, type: 'path', value: '/pricing' } },
  })
  const result: components['schemas']['GoalResult'] | undefined = goal.data
  expect(result).toEqual({ num: 1, total: 1 })
})

it('writes, and gives an error its type', async () => {
  const client = weirClient({ url: running.url, key: running.adminKey })
  const made = await client.POST('/api/websites', { body: { name: 'Made', domain: 'made.example' } })
  const website = made.data!
  expect(website.name).toBe('Made')
  const params = { path: { websiteId: website.id } }
  expect((await client.DELETE('/api/websites/{websiteId}', { params })).data).toEqual({ ok: true })
  const { data, error } = await client.GET('/api/websites/{websiteId}/stats', { params })
  expect(data).toBeUndefined()
  expect(error?.error.code).toBe('bad-request')
  expect(error?.error.issues?.[0]?.path).toBe('startAt')
})

it('reads with the token of a share', async () => {
  const anyone = weirClient({ url: running.url, key: undefined })
  const { data } = await anyone.GET('/api/share/{slug}', { params: { path: { slug } } })
  const client = weirClient({ url: running.url, shareToken: data!.token })
  const pages = await client.GET('/api/websites/{websiteId}/metrics', {
    params: { path: { websiteId: data!.websiteId! }, query: { ...day, type: 'path' } },
  })
  expect(pages.data).toEqual([{ x: '/pricing', y: 1 }])
})

it('does not compile with a path, a parameter or a field that is not there', () => {
  const client = weirClient({ url: running.url })
  const wrong = () => [
    // @ts-expect-error There is no such path.
    client.GET('/api/website/{websiteId}/stats', { params: { path: { websiteId } } }),
    // @ts-expect-error The type of metrics is none of those.
    client.GET('/api/websites/{websiteId}/metrics', { params: { path: { websiteId }, query: { type: 'colour' } } }),
    // @ts-expect-error A new website has a domain.
    client.POST('/api/websites', { body: { name: 'Made' } }),
  ]
  expect(wrong).toBeTypeOf('function')
})
