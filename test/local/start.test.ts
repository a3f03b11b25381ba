import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { makePrivate } from '../../src/local/machine/private-folder.ts'
import { root } from '../../src/local/paths.ts'
import { start as startCommand } from '../../src/local/start/start-command.ts'
import { firstSignIn } from '../../src/local/storage/users.ts'
import { explained } from '../../src/local/told/explained.ts'
import { putTables } from '../support/migrated.ts'
import { type Ended, family, isAlive, npm, run, type Script, spawned } from '../support/process.ts'

/** The README's code blocks with an info string (the text after the backquotes) that begins with `mark`. */
const codeOf = (mark: string): string[] =>
  [...readFileSync(`${root}/README.md`, 'utf8').matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, ofBlock]) => ofBlock!.startsWith(mark))
    .map(([, , text]) => text!)

/** The README's commands for a second terminal, next to `npm start`. */
const pasted = codeOf('sh run')

/** The names of the fields in a JSON text. */
const fieldsOf = (text: string): string[] => [...text.matchAll(/"(\w+)":/g)].map(([, name]) => name!)

const folders: string[] = []
const folder = (): string => {
  const path = mkdtempSync(`${tmpdir()}/weir-start-`)
  folders.push(path)
  return path
}
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true })
})

interface Ready {
  readonly url: string
  readonly clickhouse: string
  readonly apiKey: string
  readonly websiteId: string | null
  readonly share: string | null
  readonly username: string | null
  readonly password: string | null
}

type Started = Ready & { readonly script: Script }

const flagsOf = (dataDir: string): string[] => [
  ...['--json', '--port', '0', '--clickhouse-port', '0'],
  ...['--data-dir', dataDir],
]

const ready = async (script: Script): Promise<Started> => ({
  ...(JSON.parse(await script.firstLine) as Ready),
  script,
})

/** The result of a start without npm. */
const ended = (...words: string[]): Promise<Ended> => spawned('start', words).ended

/** The script's own process, which either has replaced npm or is its child. */
const scriptsOf = ({ child }: Script): number[] =>
  family(child.pid!).filter((pid) =>
    execFileSync('ps', ['-p', String(pid), '-o', 'args='], { encoding: 'utf8' }).includes('src/local/start.ts'),
  )

const allEnded = (pids: readonly number[]) => expect.poll(() => pids.filter(isAlive), { timeout: 20_000 }).toEqual([])

async function stop({ child, ended }: Script, signal: NodeJS.Signals): Promise<void> {
  const pids = family(child.pid!)
  expect(pids.length).toBeGreaterThan(2)
  child.kill(signal)
  await ended
  await allEnded(pids)
}

const json = async (url: string, key: string): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** The token, or undefined if the password is wrong. */
async function signIn(url: string, username: string, password: string): Promise<string | undefined> {
  const response = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  return ((await response.json()) as { token?: string }).token
}

const above = (least: number) => expect.toSatisfy((found) => found > least)

/** Expects that the demo website has notes, goals and a funnel that are reached, and a segment with members. */
async function expectSaved(website: string, key: string): Promise<void> {
  const range = `period=last_30_days`
  const listed = async (kind: string) => (await json(`${website}/${kind}`, key)).body.data as { id: string }[]
  const goals = (await listed('goals')).map(({ id }) => json(`${website}/goals/${id}/stats?${range}`, key))
  expect((await Promise.all(goals)).map(({ body }) => body)).toEqual(
    Array(3).fill(expect.objectContaining({ num: above(0) })),
  )
  const [funnel] = await listed('funnels')
  const { body: steps } = await json(`${website}/funnels/${funnel!.id}/stats?${range}`, key)
  expect(steps).toEqual(Array(3).fill(expect.objectContaining({ visitors: above(0) })))
  const [segment] = await listed('segments?type=segment')
  expect((await json(`${website}/stats?${range}&segment=${segment!.id}`, key)).body.visitors).toEqual(above(0))
  expect(await listed('annotations')).toHaveLength(2)
}

/** The output of `npm start` with these invalid arguments, run in this process. */
async function refused(...words: string[]): Promise<Pick<Ended, 'code' | 'stdout' | 'stderr'>> {
  let [stdout, stderr] = ['', '']
  const code = await startCommand(
    words,
    {},
    {
      out: (line) => {
        stdout += `${line}\n`
      },
      err: (line) => {
        stderr += `${line}\n`
      },
    },
  )
  return { code, stdout, stderr }
}

describe('npm start', () => {
  /** The data folder of most tests, the first start in it, its output, and an answer about its demo website. */
  const dataDir = folder()
  let script: Script
  let printed = ''
  let first: Ready
  let slug: string
  let token: string | undefined
  let shown: { readonly path: string; readonly answer: unknown }
  const mine = '0e9c1f3a-0000-4000-8000-00000000000a'

  it('fills a demo website, prints the next steps, and refuses a second start', async () => {
    await putTables(dataDir)
    chmodSync(dataDir, 0o755)
    const ports = ['--port', '0', '--clickhouse-port', '0']
    script = npm(['start', '--', ...ports, '--data-dir', dataDir, '--demo-events', '10000'])
    script.child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
    await expect.poll(() => printed, { timeout: 110_000 }).toContain('Ctrl-C')
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(printed).toMatch(new RegExp(`Data {8}${dataDir} \\(\\d+ MB on disk\\)`))
    const found = (pattern: RegExp) => pattern.exec(printed)?.slice(1) ?? []
    const [url, share] = [/Front page {2}(\S+)\/\n/, /(\S+\/share\/\S+)/].map((one) => found(one)[0]!)
    expect(printed).toContain(`${url}/demo\n`)
    const [apiKey, clickhouse] = [/export KEY=(\S+)/, /CLICKHOUSE='(\S+)'/].map((one) => found(one)[0]!)
    const [username, password] = found(/sign in as (\w+), password (\S+)\n/)
    const [websiteId] = found(/data-website-id="(\S+?)"/)
    first = {
      url: url!,
      clickhouse: clickhouse!,
      apiKey: apiKey!,
      websiteId: websiteId!,
      share: share!,
      ...{ username: username!, password: password! },
    }
    slug = new URL(first.share!).pathname.slice('/share/'.length)
    expect(slug).toMatch(/^demo[\da-f]{16}$/)
    token = await signIn(first.url, first.username!, first.password!)

    const engine = new URL(first.clickhouse)
    const secret = readFileSync(`${dataDir}/clickhouse/password`, 'utf8')
    expect(Object.fromEntries(engine.searchParams)).toEqual({ database: 'weir', user: 'default', password: secret })
    const row = { website_id: mine, event_id: mine, created_at: '2025-10-15 16:26:28.123', event_type: 1 }
    const insert = `${first.clickhouse}&query=INSERT%20INTO%20ingest%20FORMAT%20JSONEachRow`
    const inserted = await fetch(insert, { method: 'POST', body: JSON.stringify(row) })
    expect(inserted.status).toBe(200)
    expect((await fetch(insert.replace(secret, 'x'), { method: 'POST', body: JSON.stringify(row) })).status).toBe(403)
    const created = await fetch(`${url}/api/websites`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: mine, name: 'Mine', domain: 'mine.example' }),
    })
    expect(created.status).toBe(200)

    await expectSaved(`${url}/api/websites/${websiteId}`, apiKey!)
    const second = await ended('--data-dir', dataDir)
    expect(second).toMatchObject({ code: 1, stdout: '' })
    const told = second.stderr.trim().split('\n')
    expect(told[0]).toBe(`Weir is starting. Its data is in ${dataDir}`)
    expect(told.at(-1)).toBe(
      `Weir is already running on ${dataDir}, perhaps in another terminal. Stop it there, or choose another folder with --data-dir.`,
    )
  })

  /** The output of a shell that runs the printed line `export …` and then this text of the README. */
  const shell = (text: string): string => {
    const [line] = /^ *export KEY=.*$/m.exec(printed)!
    const own = text.replaceAll('http://127.0.0.1:8787', first.url)
    const whole = `${line}\n${own.replace(/npm run weir -- .*/, `$& --data-dir ${dataDir}`)}`
    return execFileSync('sh', ['-ec', whole], { cwd: root, encoding: 'utf8', stdio: 'pipe' })
  }

  it.each(pasted.map((text) => [text.slice(0, 40), text]))('runs a command of the README: %s', (_, text) => {
    const said = shell(text)
    if (text.includes('/events/stats')) expect(fieldsOf(said)).toEqual(fieldsOf(codeOf('json')[0]!))
    else if (text.includes('website create')) expect(said).toMatch(/^[\da-f-]{36}$/m)
    else if (text.includes('/api/send')) expect(JSON.parse(said)).toHaveProperty('cache')
    else expect([text.includes('$CLICKHOUSE'), said]).toEqual([true, ''])
  })

  it('counts the README’s events, answers about the demo website, and leaves nothing behind if killed', async () => {
    const { url, apiKey, websiteId } = first
    const events = () => JSON.parse(shell(pasted[0]!.replace('/events/stats?', '/metrics?type=event&path=/join&')))
    await expect.poll(events, { timeout: 20_000 }).toEqual([{ x: 'signup', y: 2 }])
    const dashboard = await fetch(first.share!)
    expect([dashboard.status, await dashboard.text()]).toEqual([
      200,
      expect.stringMatching(/\/assets\/dashboard-\w+\.js/),
    ])
    expect(await (await fetch(`${url}/api/share/${slug}`)).json()).toMatchObject({
      websiteId,
      sections: expect.arrayContaining(['overview', 'revenue']),
    })
    expect(await (await fetch(`${url}/assets/demo.js`)).text()).toBe(`export const slug = '${slug}'\n`)
    const page = await fetch(`${url}/demo`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('/assets/demo-page.js')])
    const now = Date.now()
    const path = `/api/websites/${websiteId}/event-data/stats?startAt=${now - 90 * 86_400_000}&endAt=${now}`
    const answer = await json(url + path, apiKey)
    shown = { path, answer }
    expect(answer.status).toBe(200)
    const [{ records }] = answer.body as unknown as [{ records: number }]
    expect(records).toBeGreaterThan(5000)
    const fresh = await fetch(`${url}${path}&minAsOf=${now - 3_600_000}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    await fresh.text()
    expect([fresh.status, Date.parse(fresh.headers.get('x-as-of')!)]).toEqual([200, above(now - 3_600_000)])
    const answers = async (report: string) =>
      (await json(`${url}${path.replace('event-data/stats?', report)}`, apiKey!)).body as object
    expect(await answers('revenue/stats?currency=USD&')).toMatchObject({ sum: expect.any(Number), count: above(5) })
    expect(await answers('revenue/stats?currency=EUR&')).toMatchObject({ count: above(5) })
    expect(await answers('performance/stats?')).toMatchObject({ lcp: { p75: above(1000) }, count: above(50) })
    expect(await answers('session-data/values?propertyName=plan&')).toHaveLength(4)
    const { data: replays } = (await answers('replays?')) as { data: { id: string; eventCount: number }[] }
    expect(replays.map(({ eventCount }) => eventCount)).toEqual(Array(4).fill(above(10)))
    for (const { id, eventCount } of replays) {
      const { events } = (await answers(`replays/${id}?`)) as { events: { type: number; timestamp: number }[] }
      expect(events).toHaveLength(eventCount)
      expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining([2, 3, 4]))
      for (const { timestamp } of events) expect(Math.abs(now - timestamp)).toBeLessThan(86_400_000)
    }
    expect(await answers('revenue/currencies?')).toEqual(
      ['EUR', 'USD'].map((currency) => expect.objectContaining({ currency })),
    )
    type Heatmap = {
      pages: { urlPath: string; sessions: number }[]
      points: { pageX: number; pageY: number; pageW: number; pageH: number; count: number }[]
    }
    const { pages, points } = (await answers('heatmaps?urlPath=%2F&')) as Heatmap
    expect(pages.map(({ urlPath }) => urlPath)).toEqual(['/', '/pricing', '/demo'])
    expect(pages.at(-1)).toMatchObject({ sessions: 4 })
    // The page has a menu, buttons and a footer, on phones as well as desktops.
    for (const width of [390, 1440]) {
      const heights = points.filter(({ pageW }) => pageW === width).map(({ pageY, pageH }) => pageY / pageH)
      const clicked = (from: number, to: number) => heights.filter((one) => from <= one && one < to).length
      const [menu, top, footer] = [clicked(0, 0.03), clicked(0.08, 0.22), clicked(0.9, 1)]
      expect([width, menu, top, footer]).toEqual([width, above(9), above(9), above(0)])
    }
    expect(await answers('sessions?search=Kathmandu&')).toMatchObject({ data: [{ country: 'NP', views: above(1) }] })
    expect(await answers('recorder?')).toMatchObject({ enabled: true, replayEnabled: true, heatmapEnabled: true })

    const pids = family(script.child.pid!)
    expect(pids.length).toBeGreaterThan(2)
    for (const pid of scriptsOf(script)) process.kill(pid, 'SIGKILL')
    await allEnded(pids)
    const lines = (await script.ended).stderr.split('\n').filter(Boolean)
    expect(lines.filter((line) => !/^ *(Demo website: |\d+ %|The demo website)/.test(line))).toEqual([
      `Weir is starting. Its data is in ${dataDir}`,
      'Starting the embedded ClickHouse …',
      'Bundling and starting the Worker …',
    ])
  })

  it('prints a single line with --json, keeps everything from the first start, and ends on Ctrl-C', async () => {
    const { script, ...second } = await ready(npm(['start', '--', ...flagsOf(dataDir), '--log-requests']))
    expect(second).toEqual({
      ...{ ...first, share: `${second.url}/share/${slug}`, username: 'admin' },
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      clickhouse: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/\?database=weir&user=default&password=[\w-]{32}$/),
      apiKey: expect.stringMatching(/^api_[\w-]{43}$/),
      websiteId: expect.stringMatching(/^[\da-f-]{36}$/),
      password: expect.stringMatching(/^weir_[\w-]{24}$/),
    })
    const kept = ({ apiKey, websiteId, password }: Ready) => ({ apiKey, websiteId, password })
    expect(kept(second)).toEqual(kept(first))
    const { url, apiKey } = second
    const file = `${dataDir}/admin-password`
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([second.password, 0o600])
    // This sign-in is from the first start.
    expect(await json(`${url}/api/me`, token!)).toMatchObject({ body: { user: { username: 'admin', isAdmin: true } } })
    expect(await json(url + shown.path, apiKey)).toEqual(shown.answer)
    const events = await json(`${url}/api/websites/${mine}/events?startAt=0&endAt=${Date.now()}`, apiKey)
    expect(events.body).toMatchObject({ count: 1, data: [{ id: mine, createdAt: '2025-10-15T16:26:28Z' }] })
    const headers = { authorization: `Bearer ${apiKey}` }
    const deleted = await fetch(`${url}/api/websites/${second.websiteId}`, { method: 'DELETE', headers })
    expect(deleted.status).toBe(200)
    const changed = await fetch(`${url}/api/me/password`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ currentPassword: second.password, newPassword: 'one of my own' }),
    })
    expect(changed.status).toBe(200)
    // Ctrl-C reaches every process in the terminal, and npm also forwards it.
    for (const pid of scriptsOf(script)) process.kill(pid, 'SIGINT')
    await stop(script, 'SIGINT')
    const { stdout, stderr } = await script.ended
    expect(stdout.split('\n')).toHaveLength(2)
    expect(stderr).toMatch(/"endpoint":"getMe","caller":"user","via":"http","status":200,/)
    expect(existsSync(`${dataDir}/shared-metadata`)).toBe(false)
    // The next start prints no password, because the user has changed it.
    const d1 = await openMetadata(dataDir)
    expect(await firstSignIn(dataDir, d1.metadata, Date.now()).finally(d1.close)).toBeUndefined()
  })

  it('refuses unknown flags, invalid ports, flags that npm has taken for its own, and an invalid folder', async () => {
    const [unknown, noPort, same, help, kept] = await Promise.all([
      refused('--prot', '1'),
      refused('--port', '99999'),
      refused('--port', '9999', '--clickhouse-port', '9999'),
      refused('--help'),
      run(['start', '--port=9999', '--no-demo']),
    ])
    expect(same).toEqual({
      code: 2,
      stdout: '',
      stderr: '--port and --clickhouse-port must differ. Both are 9999.\n',
    })
    const where = 'Put -- before everything that is for Weir: npm start -- … --port …'
    expect(kept).toMatchObject({ code: 2, stdout: '' })
    expect(kept.stderr).toContain(`npm took --port and --no-demo as its own. ${where}\n`)
    const failing = (path: string) => Promise.resolve(path).then(makePrivate).catch(explained)
    expect(await failing('/proc/weir')).toMatch(/^\/proc\/weir cannot be created: /)
    expect(await failing('/dev/null/weir')).toBe(
      '/dev/null/weir cannot be created: part of the path is a file (ENOTDIR).',
    )
    expect(help).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^Usage: npm start -- \[--port N\]/),
    })
    expect(unknown).toMatchObject({ code: 2, stdout: '' })
    expect(unknown.stderr).toMatch(
      /^Unknown option '--prot'\. Did you mean --port\?\nUsage: npm start -- \[--port N\] /,
    )
    expect(noPort).toMatchObject({ code: 2, stdout: '' })
    expect(noPort.stderr).toBe('--port must be a whole number from 0 to 65535, not 99999.\n')
  })
})
