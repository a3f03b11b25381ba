import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { monthsOf } from '../../src/local/compare/compare.ts'
import { type Difference, habitOf } from '../../src/local/compare/habits.ts'
import { questions, revenueIn } from '../../src/local/compare/questions.ts'
import { event, number, string, view } from '../oracle/fixtures.ts'
import { weir } from '../support/commands.ts'
import { inTurn } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { newPerson, password } from '../support/people.ts'
import { seed } from '../support/seed.ts'
import { threeVisits } from '../support/three-visits.ts'
import { add, websiteWith } from '../support/website.ts'
import { running } from '../support/weir.ts'

type Change = (path: string, body: unknown) => unknown

/**
 * Starts the other system. It is this Weir, but answers for the website `own` with the data of `other`. `change`
 * modifies an answer.
 */
async function systemWith(own: string, other: string, change: Change = (_, body) => body): Promise<string> {
  const swapped = (part: string) => part.replaceAll(own, other)
  const server = createServer(async (request, response) => {
    const body = swapped(await text(request))
    const { authorization = '' } = request.headers
    const answer = await fetch(running.url + swapped(request.url!), {
      method: request.method!,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body }),
    })
    const changed = change(request.url!, await answer.json())
    response.writeHead(changed === undefined ? 404 : answer.status).end(JSON.stringify(changed))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const sale = event({ event_id: randomUUID(), event_name: 'buy' }, [
  number('revenue', '5.0000'),
  string('currency', 'EUR'),
])

const env = { PUBLIC_URL: running.url, WEIR_KEY: running.adminKey, UMAMI_KEY: running.adminKey }

const compare = (url: string, website: string, ...words: readonly string[]) =>
  weir(
    [
      ...['compare', 'umami', '--url', url, '--website', website],
      ...['--since', '2025-10-14', '--until', '2025-10-16', ...words],
    ],
    { env },
  )

/** The numbers of results of a question: equal, explained, different, and not requested. */
const countsOf = (stdout: string, question: string): number[] | undefined =>
  new RegExp(`^${question} +(\\d+) +(\\d+) +(\\d+) +(\\d+)$`, 'm').exec(stdout)?.slice(1).map(Number)

describe('compare umami', () => {
  it('finds no differences between systems with the same events, in each month and time zone', async () => {
    const [own, other] = [await websiteWith(...threeVisits, sale), await websiteWith(...threeVisits, sale)]
    const url = await systemWith(own, other)
    // Each `npm test` run compares in one of these zones.
    const zones = inTurn(['UTC', 'Asia/Kolkata'], seed, 2)
    const more = [...zones.flatMap((zone) => ['--zone', zone]), '--until', '2025-11-02']
    const { code, stdout } = await compare(url, own, ...more)
    const asked = zones.length * (2 * questions.length + 1)
    expect([code, countsOf(stdout, 'all')]).toStrictEqual([0, [asked, 0, 0, 0]])
    expect(countsOf(stdout, 'revenue EUR')).toStrictEqual([zones.length, 0, 0, 0])
  })

  it('prints each difference with both figures, and exits with code 1', async () => {
    const [own, other] = [await websiteWith(...threeVisits), await websiteWith(...threeVisits)]
    await add(other, view('13:00:00', { event_id: randomUUID(), url_path: '/only-there' }))
    const { code, stdout } = await compare(await systemWith(own, other), own)
    expect(code).toBe(1)
    expect(countsOf(stdout, 'statistics')).toStrictEqual([0, 0, 1, 0])
    expect(countsOf(stdout, 'events')).toStrictEqual([1, 0, 0, 0])
    expect(stdout).toContain(`metrics path, ${own} UTC 2025-10-14: /only-there 0 here, 1 in Umami`)
    expect(stdout).toMatch(/statistics, .* UTC 2025-10-14: .*pageviews 4 here, 5 in Umami/)
  })

  it('prints the Umami habit that explains a difference, and the questions without an answer', async () => {
    const own = await websiteWith(...threeVisits)
    const url = await systemWith(own, own, (path, body) => {
      if (path.startsWith('/api/config')) return { currentVersion: '3.1.0' }
      if (path.includes('/sessions/weekly')) return undefined
      const figures = body as { bounces?: number }
      return figures.bounces === undefined ? body : { ...figures, bounces: figures.bounces + 1 }
    })
    const { code, stdout } = await compare(url, own)
    expect([code, countsOf(stdout, 'statistics')]).toStrictEqual([0, [0, 1, 0, 0]])
    expect(stdout).toContain('statistics: Before 3.3, a visit with a custom event is a bounce. (1)')
    expect(countsOf(stdout, 'sessions by hour')).toStrictEqual([0, 0, 0, 1])
    expect(stdout).toContain('sessions by hour: Umami answers 404')
  })

  it('exits with code 1 if Umami answers no question', async () => {
    const own = await websiteWith(...threeVisits)
    const url = await systemWith(own, own, (path, body) => (path.endsWith(`/websites/${own}`) ? body : undefined))
    const { code, stdout } = await compare(url, own)
    expect([code, countsOf(stdout, 'all')]).toStrictEqual([1, [0, 0, 0, questions.length]])
  })

  it('signs in, and uses a separate key, which it deletes afterwards', async () => {
    const own = await websiteWith(...threeVisits)
    const url = await systemWith(own, own)
    const { username } = await newPerson({ role: 'admin' })
    const words = ['compare', 'umami', '--url', url, '--username', username, '--website', own, '--since', '2025-10-15']
    const around = { env: { PUBLIC_URL: running.url, UMAMI_PASSWORD: password } }
    const { code, stdout } = await weir([...words, '--until', '2025-10-16'], around)
    expect([code, countsOf(stdout, 'statistics')]).toStrictEqual([0, [1, 0, 0, 0]])
    expect(await metadata.prepare("SELECT count(*) AS n FROM api_keys WHERE name LIKE 'compare %'").first('n')).toBe(0)
    const refused = await weir(words, { env: { PUBLIC_URL: running.url, UMAMI_PASSWORD: 'wrong' } })
    expect(refused.stderr).toContain('refuses the sign-in: it answers 401')
  })

  it('refuses unusable flags, and identifies them', async () => {
    const wrong = async (words: readonly string[], given: NodeJS.ProcessEnv = env) =>
      (await weir(['compare', 'umami', ...words], { env: given })).stderr
    const url = running.url
    expect(await wrong([])).toContain('--url')
    expect(await wrong(['--url', 'ftp://x'])).toContain('--url: Must be like https://')
    expect(await wrong(['--url', url], { PUBLIC_URL: running.url })).toContain('UMAMI_KEY')
    expect(await wrong(['--url', url, '--username', 'x'])).toContain('UMAMI_PASSWORD')
    const keyed = ['--url', url]
    expect(await wrong([...keyed, '--zone', 'Mars/Olympus'])).toContain('--zone')
    expect(await wrong([...keyed, '--since', 'x'])).toContain('--since')
    expect(await wrong([...keyed, '--since', '2025-02-01', '--until', '2025-01-01'])).toContain('before --until')
    expect(await wrong([...keyed, '--website', randomUUID()])).toContain('The two systems have no website in common')
  })
})

describe('the months in a date range', () => {
  it('start at local midnight, and are limited to the range', () => {
    const [since, until] = [Date.parse('2025-01-15T00:00:00Z'), Date.parse('2025-03-10T00:00:00Z')]
    const iso = monthsOf(since, until, 'Asia/Kolkata').map(({ startAt, endAt }) =>
      [startAt, endAt].map((moment) => new Date(moment).toISOString()),
    )
    expect(iso).toStrictEqual([
      ['2025-01-15T00:00:00.000Z', '2025-01-31T18:29:59.999Z'],
      ['2025-01-31T18:30:00.000Z', '2025-02-28T18:29:59.999Z'],
      ['2025-02-28T18:30:00.000Z', '2025-03-09T23:59:59.999Z'],
    ])
  })
})

describe('a habit of Umami', () => {
  const named = (name: string) => [...questions, revenueIn('EUR')].find((one) => one.name === name)!
  const asked = { websiteId: randomUUID(), zone: 'UTC', startAt: 0, endAt: 3_599_999 }
  const explained = (name: string, difference: Difference, version?: string, zone = 'UTC') =>
    habitOf(difference, named(name), { ...asked, zone }, { version }) !== undefined

  it.each<[name: string, figure: string, ours: number, theirs: number, isExplained: boolean, version?: string]>([
    ['statistics', 'visitors', 20_000, 20_300, true],
    ['statistics', 'visitors', 20_000, 21_000, false],
    ['statistics', 'visitors', 200, 201, false],
    ['statistics', 'pageviews', 20_000, 20_300, false],
    ['statistics', 'bounces', 5, 6, true, '3.2.9'],
    ['statistics', 'bounces', 5, 6, true],
    ['statistics', 'bounces', 6, 5, false, '3.2.9'],
    ['statistics', 'bounces', 5, 6, false, '3.3.0'],
    ['statistics', 'bounces', 5, 6, false, '4.0'],
    ['statistics', 'totaltime', 100_000, 99_990, true],
    ['statistics', 'totaltime', 100_000, 90_000, false],
    ['metrics channel', 'direct', 5, 9, true],
    ['metrics entry', '/', 5, 3, true],
    ['metrics path', '/', 5, 3, false],
    ['metrics language', 'fil', 5, 0, true],
    ['metrics event', 'buy', 20_000, 20_001, false],
    ['sessions', 'countries', 3, 4, true],
    ['sessions', 'countries', 3, 5, false],
    ['revenue EUR', 'sum', 5, 10, true],
    ['revenue EUR', 'sum', 10, 5, false],
    ['events', 'buy 2025-10-01', 1, 2, false],
  ])('of %s, %s: %d here and %d there is explained: %s', (name, figure, ours, theirs, isExplained, version) => {
    expect(explained(name, { figure, ours, theirs }, version)).toBe(isExplained)
  })

  it('of whole hours explains differences only in time zones with half-hour offsets', () => {
    const difference = { figure: 'pageviews', ours: 1, theirs: 2 }
    expect(explained('statistics', difference, '3.4', 'Asia/Kolkata')).toBe(true)
    expect(explained('statistics', difference, '3.4', 'Europe/Berlin')).toBe(false)
  })
})
