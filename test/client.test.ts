import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Input, type OperationId, WeirError, weirClient } from '../src/client/index.js'
import { idNames } from '../src/endpoints/endpoint.ts'
import { endpoints } from '../src/endpoints/index.ts'
import { root } from '../src/local/paths.ts'
import { recordedAnswers } from '../src/serve/openapi/recorded.ts'
import { event } from './oracle/fixtures.ts'
import { goodRequestOfNobody } from './support/good-requests.ts'
import { share } from './support/ways.ts'
import { add, day } from './support/website.ts'
import { get, insert, running } from './support/weir.ts'

const weir = weirClient({ url: `${running.url}/`, key: running.adminKey })

let websiteId: string
let slug: string

/** A recorded visit. */
const visit = { visit_id: randomUUID(), session_id: randomUUID() }

beforeAll(async () => {
  ;({ websiteId, slug } = await share({ overview: true }))
  await add(websiteId, event({ event_type: 1, url_path: '/pricing', created_at: '2025-10-15 12:00:00.000' }))
  const at = '2025-10-15 12:00:00.000'
  const chunk = { ...visit, created_at: at, first_at: at, last_at: at, chunk_index: 1, hash: '0'.repeat(64) }
  await insert('ingest_replay_chunks', [{ ...chunk, website_id: websiteId, times: [1], events: '{}' }])
})

/** The error that a refused call throws. */
const refusal = (call: Promise<unknown>): Promise<WeirError> =>
  call.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => error as WeirError,
  )

describe('a call', () => {
  it('reads with a query string and with a body', async () => {
    const stats = await weir.getWebsiteStats({ websiteId, ...day, browser: [''] })
    expect(stats.pageviews).toBe(1)
    expect(stats).toEqual((await get(`/api/websites/${websiteId}/stats`, { ...day, browser: '' })).body)
    const repeated = await weir.getWebsiteMetrics({ websiteId, ...day, type: 'path', path: ['neq.x', 'eq./pricing'] })
    expect(repeated).toEqual([{ x: '/pricing', y: 1 }])
    const goal = {
      websiteId,
      type: 'goal',
      filters: {},
      parameters: { ...day, type: 'path', value: '/pricing' },
    } as const
    expect(await weir.getGoalReport({ ...goal, deadline: 30_000 })).toEqual({ num: 1, total: 1 })
    expect((await refusal(weir.getGoalReport({ ...goal, deadline: 1 }))).issues[0]?.path).toBe('deadline')
  })

  it('returns the requested format', async () => {
    const csv = await weir.getWebsiteMetrics({ websiteId, ...day, type: 'path' }, { accept: 'text/csv' })
    expect(csv.headers.get('content-type')).toMatch(/^text\/csv/)
    expect(await csv.text()).toMatch(/^"?x"?,"?y"?\r?\n"?\/pricing"?,1\r?\n$/)
    const events = await weir.getWebsiteEvents({ websiteId, ...day })
    expect(events.data.map(({ urlPath }) => urlPath)).toEqual(['/pricing'])
  })

  it('writes', async () => {
    const { id, name } = await weir.createWebsite({ name: 'Made', domain: 'made.example' })
    expect(name).toBe('Made')
    expect((await weir.updateWebsite({ websiteId: id, name: 'Named' })).name).toBe('Named')
    expect(await weir.deleteWebsite({ websiteId: id })).toEqual({ ok: true })
  })

  it('reads with a share token', async () => {
    const opened = await weirClient({ url: running.url }).getShareBySlug({ slug })
    const reader = weirClient({ url: running.url, shareToken: opened.token })
    expect(await reader.getWebsiteMetrics({ websiteId, ...day, type: 'path' })).toEqual([{ x: '/pricing', y: 1 }])
  })

  it('throws an error with Weir’s code and issues', async () => {
    const wrong = await refusal(weir.getWebsiteStats({ websiteId }))
    expect(wrong).toBeInstanceOf(WeirError)
    expect(wrong).toMatchObject({
      ...{ name: 'WeirError', status: 400, code: 'bad-request', message: expect.stringMatching(/^startAt: /) },
      requestId: expect.stringMatching(/./),
      issues: expect.arrayContaining([{ path: 'startAt', message: expect.stringMatching(/./) }]),
    })
    const unknown = refusal(weirClient({ url: running.url, key: 'api_none' }).getMe())
    expect(await unknown).toMatchObject({ status: 401, code: 'unauthorized', issues: [] })
    await expect(weir.getWebsite({ websiteId: '' })).rejects.toThrow('getWebsite needs websiteId, a text.')
  })

  it('fails with a specific code on a timeout, without a connection, or if the server is not Weir', async () => {
    const server = createServer(({ url }, reply) => {
      if (url === '/slow/api/me') return
      const retryAfter = url === '/busy/api/me' ? new Date().toUTCString() : '7'
      reply.writeHead(url === '/api/me' ? 200 : 503, { 'retry-after': retryAfter }).end('<h1>None of Weir</h1>')
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const late = await refusal(weirClient({ url: `${url}/slow`, timeout: 50 }).getMe())
    expect(late).toMatchObject({ code: 'timeout', status: undefined, message: 'There was no answer within 50 ms.' })
    const stopped = refusal(weirClient({ url: `${url}/slow` }).getMe({}, { signal: AbortSignal.abort('enough') }))
    expect(await stopped).toBe('enough')
    const down = await refusal(weirClient({ url: `${url}/down` }).getMe())
    expect(down).toMatchObject({ code: 'unknown', status: 503, retryAfter: 7 })
    const busy = await refusal(weirClient({ url: `${url}/busy` }).getMe())
    expect(busy).toMatchObject({ code: 'unknown', status: 503, retryAfter: undefined })
    expect(await refusal(weirClient({ url }).getMe())).toMatchObject({ code: 'unknown', status: 200 })
    await new Promise((closed) => server.close(closed).closeAllConnections())
    expect(await refusal(weirClient({ url }).getMe())).toMatchObject({ code: 'unreachable', status: undefined })
  })

  it('does not compile with an unknown method, field or format', () => {
    const wrong = () => [
      // @ts-expect-error This operation does not exist.
      weir.getWebsiteStatistics({ websiteId }),
      // @ts-expect-error This metrics type does not exist.
      weir.getWebsiteMetrics({ websiteId, type: 'colour' }),
      // @ts-expect-error A new website needs a domain.
      weir.createWebsite({ name: 'Made' }),
      // @ts-expect-error The id is required.
      weir.getWebsite(),
      // @ts-expect-error Totals are not a list, so they have no CSV.
      weir.getWebsiteStats({ websiteId }, { accept: 'text/csv' }),
    ]
    expect(wrong).toBeTypeOf('function')
  })
})

describe('the package', () => {
  const answers: { [Id in OperationId]?: unknown } = {}

  /** Calls an operation and stores its answer. */
  async function kept<Id extends OperationId>(id: Id, input: Input<Id>, client = weir): Promise<Answer<Id>> {
    const call = client[id] as (input: Input<Id>) => Promise<Answer<Id>>
    const answer = await call(input)
    answers[id] = answer
    return answer
  }

  beforeAll(async () => {
    const name = 'One'
    const user = await kept('createUser', { username: `one ${websiteId}`, password: 'a good password', role: 'user' })
    await kept('createTeam', { name: `team of ${websiteId}`, ownerId: user.id })
    const link = await kept('createLink', { name, url: 'https://example.com/', slug: `link-${websiteId}` })
    const pixel = await kept('createPixel', { name, slug: `pixel-${websiteId}` })
    const board = await kept('createBoard', { name, type: 'mixed', parameters: { cards: [{ websiteId }] } })
    const filters = [{ name: 'country', operator: 'eq', value: 'DE' }] as const
    const segment = await kept('createWebsiteSegment', {
      ...{ websiteId, name, type: 'segment' as const },
      parameters: { filters: [...filters] },
    })
    const annotation = await kept('createWebsiteAnnotation', { websiteId, date: '2025-10-15', note: name })
    const goal = { type: 'path', value: '/pricing' } as const
    const funnel = { steps: [goal, { type: 'event' as const, value: 'buy' }], window: 60 }
    const savedGoal = await kept('createWebsiteGoal', { websiteId, name, parameters: goal })
    const savedFunnel = await kept('createWebsiteFunnel', { websiteId, name, parameters: funnel })
    const report = await kept('createReport', { websiteId, name, type: 'goal', parameters: goal })
    const made = await kept('createWebsiteShare', { websiteId, name, parameters: { overview: true } })
    await kept('createBoardShare', { boardId: board.id, name, parameters: { overview: true } })
    await kept('createWebsite', { name, domain: 'one.example' })
    const signedIn = await kept('login', { username: user.username, password: 'a good password' })
    const { token } = signedIn as Extract<typeof signedIn, { token: string }>
    await kept('updateWebsite', { websiteId, name, public: { overview: true }, replayConfig: { sampleRate: 0.5 } })
    await kept('read', { paths: [`/api/websites/${websiteId}`, '/api/me/websites'] })
    const { data: teams } = await weir.getAdminTeams({ search: `team of ${websiteId}` })
    const ids = { websiteId, teamId: teams[0]!.id, userId: user.id, linkId: link.id, pixelId: pixel.id, slug }
    const more = { boardId: board.id, segmentId: segment.id, annotationId: annotation.id, reportId: report.id }
    const saved = { goalId: savedGoal.id, funnelId: savedFunnel.id, shareId: made.id }
    const recorded = { replayId: visit.visit_id, sessionId: visit.session_id }
    for (const endpoint of endpoints) {
      if (endpoint.kind === 'report' || endpoint.method !== 'get') continue
      const { query } = goodRequestOfNobody(endpoint, { websiteId })
      const named = idNames(endpoint).map((id) => [
        id,
        { ...ids, ...more, ...saved, ...recorded }[id as keyof typeof ids],
      ])
      const input = { ...query, ...Object.fromEntries(named) }
      const id = endpoint.name as OperationId
      // Some operations are available only to users.
      await kept(id, input).catch(() => kept(id, input, weirClient({ url: running.url, key: token })))
    }
  })

  it('has types that fit all answers of Weir, is smaller than 100 kB, and needs no other package', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-client-`)
    const pack = ['pack', './src/client', '--json', '--ignore-scripts', '--pack-destination', folder]
    const printed = execFileSync('npm', pack, { cwd: root, encoding: 'utf8' })
    const [{ filename, size, files }] = JSON.parse(printed) as [
      { filename: string; size: number; files: { path: string }[] },
    ]
    const code = ['index.d.ts', 'index.js', 'openapi.d.ts', 'operations.js', 'package.json']
    expect(files.map(({ path }) => path).sort()).toEqual(['LICENSE', 'README.md', ...code])
    expect(size).toBeLessThan(100_000)
    const installed = `${folder}/node_modules/@weir/client`
    mkdirSync(installed, { recursive: true })
    execFileSync('tar', ['xzf', `${folder}/${filename}`, '--strip-components=1', '-C', installed])

    const all = { ...recordedAnswers(), ...answers }
    expect(Object.keys(all).length).toBeGreaterThan(120)
    const declared = Object.keys(all).map((id) => `  ${id}: Answer<'${id}'>\n`)
    writeFileSync(
      `${folder}/answers.mts`,
      `import { type Answer, weirClient } from '@weir/client'
export const answers: {\n${declared.join('')}} = ${JSON.stringify(all, null, 1)}
export const website: Answer<'getWebsite'> = await weirClient({ url: '' }).getWebsite({ websiteId: '' })
`,
    )
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext']
    const types = ['--lib', 'es2022,dom', '--types', '']
    const tsc = spawnSync(`${root}/node_modules/.bin/tsc`, [...options, ...types, 'answers.mts'], { cwd: folder })
    expect(String(tsc.stdout)).toBe('')
    const script = `import { weirClient } from '@weir/client'
      const [url, key, websiteId] = process.argv.slice(1)
      console.log((await weirClient({ url, key }).getWebsite({ websiteId })).id)`
    const words = ['--input-type=module', '--eval', script, running.url, running.adminKey, websiteId]
    expect(execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8' })).toBe(`${websiteId}\n`)
  })
})
