import { beforeAll, describe, expect, it } from 'vitest'
import { sections } from '../../src/access/opening.ts'
import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { pageView } from '../../src/endpoints/examples.ts'
import { string } from '../oracle/fixtures.ts'
import { batch, statuses } from '../support/batch.ts'
import { forbidden, type Headers, newShare, post } from '../support/callers.ts'
import { forEach, pairs } from '../support/concurrently.ts'
import { ndjson } from '../support/exports.ts'
import { isolate } from '../support/isolate.ts'
import { inTurn, isLong } from '../support/long.ts'
import { newPerson, type Person, websiteOf } from '../support/people.ts'
import { failed, refused } from '../support/refusals.ts'
import { reports, sectionsOpening } from '../support/reports.ts'
import { pathTo } from '../support/requests.ts'
import { saved } from '../support/saved.ts'
import { seed } from '../support/seed.ts'
import { call, identify } from '../support/session-data.ts'
import { add, day } from '../support/website.ts'
import { pathOf, type Reply, running, send } from '../support/weir.ts'

const range = { startAt: day.startAt, endAt: day.endAt }
const email = 'ada@lovelace.example'

let owner: Person
let websiteId: string
/** Another website, which each test makes public with its own settings. */
let published: string

/** Creates a website with the examples' session, identified with all the examples' properties and an e-mail address. */
async function identified(columns: Readonly<Record<string, string>> = {}): Promise<string> {
  const id = await websiteOf({ userId: owner.id }, columns)
  const plan = reports.find(({ showsSessionProperties }) => showsSessionProperties)!.example.calls![0]!
  const { created_at: _, session_id: session, ...properties } = plan
  await Promise.all([
    add(id, pageView as never),
    identify(id, { ...properties, session_id: session, created_at: '2025-10-15 16:00:00.000' }),
    identify(id, call(pageView.session_id, '16:00:00', [string('email', email)])),
  ])
  return id
}

beforeAll(async () => {
  owner = await newPerson()
  ;[websiteId, published] = await Promise.all([identified(), identified()])
})

const showing = reports.filter(({ showsSessionProperties }) => showsSessionProperties)
const pathOfReport = (report: AnyReport, id: string): string => pathTo(report, { websiteId: id, ...report.example.ids })

/** Opens the test website through a share and a board share, and makes the other one public. */
async function openedTo(parameters: object): Promise<Record<string, { id: string; headers: Headers }>> {
  const { headers } = await newShare(websiteId, parameters, owner.headers)
  const board = await post('/api/boards', { name: 'b', type: 'mixed', parameters: { websiteId } }, owner.headers)
  const made = await post(`/api/boards/${board.body.id}/shares`, { name: 'b', parameters }, owner.headers)
  const { body } = await send(`/api/share/${made.body.slug}`)
  expect((await post(`/api/websites/${published}`, { public: parameters }, owner.headers)).status).toBe(200)
  return {
    share: { id: websiteId, headers },
    'share of a board': { id: websiteId, headers: { 'x-weir-share-token': body.token } },
    'public website': { id: published, headers: {} },
  }
}

describe('session properties', () => {
  it('are hidden by default: answers and exports look like those of a website without any', async () => {
    const empty = await websiteOf({ userId: owner.id })
    const ofNone = new Map<AnyReport, Reply>()
    for (const report of showing) ofNone.set(report, await send(pathOfReport(report, empty), owner))
    const ways = [{}, { allowSessionProperties: false }, { filters: { browser: '' } }]
    for (const [way, more] of ways.entries()) {
      const callers = Object.entries(await openedTo({ sessions: true, events: true, allowExport: true, ...more }))
      await forEach(
        pairs([...callers.entries()], [...showing.entries()]),
        async ([[turn, [caller, at]], [place, report]]) => {
          // In `npm test`, each caller tests a ninth of the reports in each way.
          const isInTurn = isLong || (turn + place + 3 * way + seed) % 9 === 0
          if (!isInTurn) return
          const { id, headers } = at
          const [closed, none] = [await send(pathOfReport(report, id), { headers }), ofNone.get(report)!]
          expect([caller, report.name, closed.status, closed.body]).toEqual([caller, report.name, 200, none.body])
          expect(closed.headers.get('x-total-count')).toBe(none.headers.get('x-total-count'))
          if (!report.export) return
          const rows = await fetch(running.url + pathOfReport(report, id), { headers: { ...headers, accept: ndjson } })
          expect([report.name, rows.status, await rows.text()]).toEqual([report.name, 200, ''])
        },
      )
    }
  })

  it('have no price if they are hidden, because it would reveal the number of identify calls', async () => {
    const shown = await openedTo({ sessions: true, allowSessionProperties: true })
    const hidden = await openedTo({ sessions: true })
    for (const report of inTurn(showing, seed, 3)) {
      const priceFor = ({ id, headers }: { id: string; headers: Headers }) =>
        send(pathTo(report, { websiteId: id, ...report.example.ids }, { dryRun: '1' }), { headers })
      for (const caller of Object.values(hidden)) failed(await priceFor(caller), forbidden)
      expect((await priceFor(shown.share!)).status).toBe(200)
    }
  })

  it('are complete except for distinct ids if they are opened', async () => {
    const callers = await openedTo({ sessions: true, allowSessionProperties: true })
    for (const [turn, [caller, { id, headers }]] of Object.entries(callers).entries()) {
      for (const report of inTurn(showing, turn + seed, 3)) {
        const [shown, own] = await Promise.all(
          [headers, owner.headers].map((headers) => send(pathOfReport(report, id), { headers })),
        )
        const expected = JSON.stringify(own!.body).replaceAll('"distinctId":"ada"', '"distinctId":""')
        expect([caller, report.name, shown!.status, JSON.stringify(shown!.body)]).toEqual([
          ...[caller, report.name, 200],
          expected,
        ])
        expect(expected).not.toMatch(/^(\[\]|\{"data":\[\])/)
      }
    }
  })

  it('are refused if their section is closed, even if all others are open', async () => {
    const all = Object.fromEntries(sections.map((section) => [section, true]))
    const callers = await openedTo({ ...all, sessions: false, allowSessionProperties: true })
    for (const [caller, { id, headers }] of Object.entries(callers)) {
      for (const report of inTurn(showing, seed, 3)) {
        const { status } = await send(pathOfReport(report, id), { headers })
        expect([report.name, status]).toEqual([report.name, caller === 'public website' ? 401 : 403])
      }
      const reply = await send(pathOf(`/api/websites/${id}/stats`, { ...range, spf0: '1.c.email.a' }), { headers })
      failed(reply, forbidden)
    }
  })

  it('still restrict the rows if they are hidden and a locked filter uses them', async () => {
    const other = { event_id: '0199e2b4-5c00-7000-8000-00000000000f', session_id: websiteId, visit_id: websiteId }
    const id = await identified()
    await add(id, { ...pageView, ...other } as never)
    const stats = pathOf(`/api/websites/${id}/stats`, range)
    expect((await send(stats, owner)).body.visitors).toBe(2)
    const { headers } = await newShare(id, { overview: true, filters: { spf0: `1.eq.email.${email}` } }, owner.headers)
    expect((await send(stats, { headers })).body.visitors).toBe(1)
  })

  it('are opened by a parameter that must be true or false, and that the share’s callers can see', async () => {
    const { slug } = await newShare(websiteId, { sessions: true, allowSessionProperties: true }, owner.headers)
    const { body } = await send(`/api/share/${slug}`)
    expect(body.parameters).toEqual({ sessions: true, allowSessionProperties: true })
    const shares = `/api/websites/${websiteId}/shares`
    for (const allowSessionProperties of [null, 'true', 1]) {
      const parameters = { sessions: true, allowSessionProperties }
      refused(await post(shares, { name: 'a', parameters }, owner.headers), 'parameters.allowSessionProperties')
      const wrong = await post(`/api/websites/${websiteId}`, { public: parameters }, owner.headers)
      refused(wrong, 'public.allowSessionProperties')
    }
  })
})

describe('an e-mail address', () => {
  /** All reports that could reveal how many sessions have an e-mail address with a given prefix. */
  const asking = reports.filter(
    ({ query, method, saved }) => 'filters' in query.parameters && method === 'get' && !saved,
  )
  const letters = [...'ab', '@']

  /** The requests of an attacker who guesses an address letter by letter. */
  const attempts = (report: AnyReport, segment: string, cohort: string): Record<string, string>[] => [
    ...letters.map((letter) => ({ spf0: `1.c.email.${letter}` })),
    { spf: '1.re.email.^a' },
    { spf12: '1.neq.email.a', match: 'any', path: 'c.' },
    { 'filters[spf0]': '1.c.email.a', compare: 'yoy' },
    { filters: JSON.stringify({ match: 'any', spf3: ['1.c.email.a', '1.nre.email.^b'] }) },
    { spf0: '1.c.email.a', segment },
    { spf0: '1.c.email.a', cohort, excludeBounce: '1' },
    { spf0: '1.c.email.a', dryRun: '1' },
    ...(report.showsSessionProperties ? [{ pf_email: 'c.a' }, { 'filters[pf_email]': '1.re.^a' }] : []),
  ]

  it('can be found by its owner', async () => {
    const found = await Promise.all(
      letters.map((letter) =>
        send(pathOf(`/api/websites/${websiteId}/stats`, { ...range, spf0: `1.c.email.${letter}` }), owner),
      ),
    )
    expect(found.map(({ body }) => body.visitors)).toEqual(
      [1, 1, 1].map((_, place) => Number(email.includes(letters[place]!))),
    )
    const none = pathOf(`/api/websites/${websiteId}/stats`, { ...range, spf0: '1.c.email.z' })
    expect((await send(none, owner)).body.visitors).toBe(0)
  })

  it('cannot be guessed letter by letter through any section, locked or not, alone or in a batch', async () => {
    const action = { type: 'path', value: '/pricing' } as const
    const segment = await saved(websiteId, 'segment', { filters: [{ name: 'path', operator: 'c', value: 'a' }] })
    const cohort = await saved(websiteId, 'cohort', { action, dateRange: 'all' })
    for (const [turn, section] of sections.entries()) {
      const locks = [{}, { filters: { path: '/pricing' } }]
      // In `npm test`, every second section is locked.
      for (const lock of isLong ? locks : [locks[turn % 2]!]) {
        const callers = await openedTo({ [section]: true, ...lock })
        const some = asking.filter(
          (report, place) => sectionsOpening(report).includes(section) && (isLong || (place + turn + seed) % 8 < 1),
        )
        await forEach(some, async (report) => {
          const all = attempts(report, segment, cohort)
          const tried = isLong ? all : all.filter((_, place) => (place + turn + asking.indexOf(report)) % 3 === 0)
          for (const [caller, { id, headers }] of Object.entries(callers)) {
            // The segments belong to the shared website.
            const own = caller === 'public website' ? tried.filter((one) => !one.segment && !one.cohort) : tried
            const paths = own.map((query) => pathTo(report, { websiteId: id, ...report.example.ids }, query))
            for (const path of paths.slice(0, isLong ? undefined : 2)) {
              const reply = await send(path, { headers })
              expect([caller, path, reply.status]).toEqual([caller, path, 403])
              expect(reply.body.error.message).toMatch(/filter: (filters[.[])?(spf|pf_)/)
            }
            if (paths.length > 0) expect(statuses(await batch(paths, headers))).toEqual(paths.map(() => 403))
          }
        })
      }
    }
  })

  it('cannot be saved in a filter of a segment or cohort', async () => {
    const path = `/api/websites/${websiteId}/segments`
    for (const name of ['spf0', 'spf', 'pf_email']) {
      const filters = [{ name, operator: 'c', value: '1.c.email.a' }]
      refused(
        await post(path, { type: 'segment', name: 'a', parameters: { filters } }, owner.headers),
        'parameters.filters.0.name',
      )
    }
    const sessionPropertyFilters = [{ name: 'email', operator: 'c', value: 'a' }]
    const body = { type: 'cohort', name: 'a', parameters: { sessionPropertyFilters } }
    refused(await post(path, body, owner.headers), 'parameters.sessionPropertyFilters')
  })
})

describe('the filters of a funnel’s steps', () => {
  const steps = [
    { type: 'path', value: '/pricing' },
    { type: 'event', value: '*', filters: [{ property: 'email', operator: 'c', value: 'a' }] },
  ]
  const parameters = { ...range, window: 60, steps }
  const asked = (id: string) =>
    pathOf(`/api/websites/${id}/funnels/stats`, { ...range, window: 60, steps: JSON.stringify(steps) })

  it('filter by event properties, so they need the section events', async () => {
    for (const [events, status] of [
      [false, 403],
      [true, 200],
    ] as const) {
      for (const [caller, { id, headers }] of Object.entries(await openedTo({ funnels: true, events }))) {
        const body = { websiteId: id, type: 'funnel', filters: {}, parameters }
        const replies = [await send(asked(id), { headers }), await post('/api/reports/funnel', body, headers)]
        for (const reply of replies) {
          expect([caller, reply.status]).toEqual([caller, status])
          if (status === 403) expect(reply.body.error.message).toContain('steps.1.filters')
        }
      }
    }
    expect((await send(asked(websiteId), owner)).status).toBe(200)
  })

  it('are allowed in a funnel that the owner saved, because callers cannot change them', async () => {
    const { window } = parameters
    const made = await post(
      `/api/websites/${websiteId}/funnels`,
      { name: 'a', parameters: { window, steps } },
      owner.headers,
    )
    const { headers } = await newShare(websiteId, { funnels: true }, owner.headers)
    const path = pathOf(`/api/websites/${websiteId}/funnels/${made.body.id}/stats`, range)
    expect((await send(path, { headers })).status).toBe(200)
  })
})

describe('a cached answer', () => {
  const ask = isolate()

  it('is returned only to callers who may see session properties, if it contains any', async () => {
    const id = await identified({ public: JSON.stringify({ sessions: true }) })
    const open = { sessions: true, allowSessionProperties: true }
    const seeing = [owner.headers, (await newShare(id, open)).headers, (await newShare(id, open)).headers]
    const blind = [{}, (await newShare(id, { sessions: true })).headers]
    for (const report of inTurn(showing, seed, 3)) {
      const path = pathOfReport(report, id)
      const texts = async (callers: readonly Headers[]) => {
        const replies = []
        for (const headers of callers) replies.push(await ask(path, headers))
        expect(replies.map(({ status }) => status)).toEqual(callers.map(() => 200))
        return [...new Set(replies.map(({ text }) => text.replaceAll('"ada"', '""')))]
      }
      // From the second round on, answers come from the cache or from a shortcut.
      for (const _ of [1, 2, 3]) {
        const [full, none] = [await texts(seeing), await texts(blind)]
        expect([report.name, full.length, none.length]).toEqual([report.name, 1, 1])
        expect(full).not.toEqual(none)
      }
      expect((await ask(path, blind[0]!)).cache).toBe('HIT')
    }
    const filtered = pathOf(`/api/websites/${id}/sessions`, { ...range, spf0: '1.c.email.a' })
    for (const _ of [1, 2]) {
      for (const headers of seeing) expect((await ask(filtered, headers)).status).toBe(200)
      for (const headers of blind) expect((await ask(filtered, headers)).status).toBe(403)
    }
  })

  it('is no longer served to a share once session properties are closed', async () => {
    const id = await identified()
    const share = await newShare(id, { sessions: true, allowSessionProperties: true })
    const path = pathOf(`/api/websites/${id}/session-data/values`, { ...range, propertyName: 'email' })
    for (const _ of [1, 2, 3]) expect((await ask(path, share.headers)).text).toContain(email)
    const body = JSON.stringify({ name: 'a', slug: share.slug, parameters: { sessions: true } })
    const headers = { ...owner.headers, 'content-type': 'application/json' }
    expect((await ask(`/api/share/id/${share.id}`, headers, 'POST', body)).status).toBe(200)
    expect((await ask(path, share.headers)).text).toBe('[]')
  })
})
