import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { AnyReport, Endpoint } from '../../src/endpoints/endpoint.ts'
import { pageView, purchase } from '../../src/endpoints/examples.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { createKey } from '../../src/local/storage/metadata.ts'
import { exampleId } from '../../src/serve/openapi/examples.ts'
import { factsOf } from '../facts/index.ts'
import type { IngestRow } from '../oracle/model.ts'
import type { Headers } from '../support/callers.ts'
import { forEach } from '../support/concurrently.ts'
import { inTurn } from '../support/long.ts'
import { memoised } from '../support/memoised.ts'
import { metadata } from '../support/metadata.ts'
import { bearer, insert as insertRow, newPerson, signer } from '../support/people.ts'
import { eventId, reports } from '../support/reports.ts'
import { askOf, pathTo, savedFor } from '../support/requests.ts'
import { seed } from '../support/seed.ts'
import { ingest, insert, newWebsite, running, send } from '../support/weir.ts'

const named = endpoints.map((endpoint) => [endpoint.name, endpoint] as const)

describe('the list of endpoints', () => {
  it('contains every endpoint declared in src/endpoints', async () => {
    const folder = new URL('../../src/endpoints/', import.meta.url)
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
    const modules = files.map((file) => import(new URL(file, folder).href) as Promise<object>)
    const declared = (await Promise.all(modules)).flatMap((module) => Object.values(module).filter(isEndpoint))
    const names = (some: readonly Endpoint[]) => some.map(({ name }) => name)
    expect(declared.length).toBeGreaterThan(50)
    // The batch is generated from all other endpoints.
    expect(names(endpoints.filter((endpoint) => !declared.includes(endpoint)))).toEqual(['read'])
    expect(names(declared.filter((endpoint) => !endpoints.includes(endpoint)))).toEqual([])
  })

  it('repeats neither a name nor a path’s method', () => {
    const routes = endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(endpoints.map(({ name }) => name)).size).toBe(endpoints.length)
    expect(new Set(routes).size).toBe(endpoints.length)
  })

  it('has no path after another one that would also match it', () => {
    const hidden = endpoints.filter(({ method, path }, index) =>
      endpoints.slice(0, index).some((earlier) => earlier.method === method && fits(earlier.path, path)),
    )
    expect(hidden).toEqual([])
  })

  it('limits each analysis’s memory', () => {
    const names = (some: readonly AnyReport[]) => some.map(({ name }) => name)
    const bounded = reports.filter(({ mostMemory }) => mostMemory === 2 ** 31)
    expect(names(bounded)).toEqual(names(reports.filter((report) => factsOf(report).isAnalysis)))
    expect(names(reports.filter(({ mostMemory }) => mostMemory && mostMemory !== 2 ** 31))).toEqual([])
  })

  it.each(named)('describes each answer in one sentence: %s', (_name, { summary }) => {
    expect(summary).toMatch(/^[A-Z].*[^.]\.$/)
  })
})

/** The tokens of an unfinished admin sign-in, and an admin who still needs to set up a second factor. */
async function halfSignedIn(): Promise<{ readonly steps: readonly Headers[]; readonly admin: Headers }> {
  const [admin, tokens] = [await newPerson({ role: 'admin' }), await signer()]
  const [waiting, times] = [randomUUID(), { created_at: 1, expires_at: Date.now() + 3_600_000 }]
  await insertRow('sign_ins', { id: waiting, user_id: admin.id, step: 'code', ...times })
  const departed = { issuer: 'main', state: 's', nonce: 'n', verifier: 'v', joins: waiting }
  const steps = await Promise.all([
    ...(['sign-in', 'second-step', 'return'] as const).map((typ) => tokens.make({ typ, jti: waiting })),
    tokens.make({ typ: 'departure', ...departed }),
  ])
  await metadata.prepare('UPDATE users SET two_factor_required = 1 WHERE id = ?1').bind(admin.id).run()
  return { steps: steps.map(bearer), admin: admin.headers }
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'kind' in value && (value.kind === 'report' || value.kind === 'action')

const fits = (pattern: string, path: string): boolean => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path)

describe('every endpoint, through the Worker', () => {
  let filled: string
  let empty: string
  let stranger: string
  let half: Awaited<ReturnType<typeof halfSignedIn>>

  beforeAll(async () => {
    filled = await newWebsite()
    empty = await newWebsite()
    half = await halfSignedIn()
    const own = await newWebsite()
    stranger = await createKey(
      metadata,
      'another website',
      { admin: false, access: 'read', websiteIds: [own] },
      Date.now(),
    )
    await forEach(reports, async (report) => void websites.set(report, await newWebsite()))
    const events = reports.flatMap((report) => inside(websites.get(report)!, report.example.events))
    const calls = reports.flatMap((report) => inside(websites.get(report)!, report.example.calls ?? []))
    await Promise.all([
      ingest([...inside(filled, [pageView, purchase]), ...events]),
      insert('ingest_session_data', calls),
    ])
  })

  /** A website for each report, with the events of the report's example. */
  const websites = new Map<AnyReport, string>()
  const inside = (website_id: string, rows: readonly object[]): Partial<IngestRow>[] =>
    rows.map((row) => ({ ...row, website_id }))

  /** Each report's answer to its example, as JSON. */
  const answers = new Map<AnyReport, string>()
  const ids = () => ({ websiteId: filled, eventId })
  /** The answer to another website's key, requested once. */
  const answerToStranger = memoised((endpoint: Endpoint) =>
    send(pathTo(endpoint, ids()), askOf(endpoint, withKey(stranger))),
  )
  const withKey = (key: string) => ({ authorization: `Bearer ${key}` })

  it.each(named.filter(([, { access }]) => access.to !== 'anyone'))(
    'checks for a key before anything else: %s',
    async (_name, endpoint) => {
      const reply = await send(
        pathTo(endpoint, { websiteId: 'x', eventId: 'x', teamId: 'x', userId: 'x' }, { surprise: '1' }),
        askOf(endpoint, {}),
      )
      expect({
        ...{ status: reply.status, code: reply.body.error.code, challenge: reply.headers.get('www-authenticate') },
      }).toEqual({ status: 401, code: 'unauthorized', challenge: 'Bearer realm="Weir"' })
    },
  )

  const signedIn = named.filter(([, { access }]) => access.to !== 'anyone' && !('isForSetUp' in access))

  it.each(inTurn(signedIn, seed, 4))(
    'refuses each sign-in step, and an admin who must set up a second factor first: %s',
    async (_name, endpoint) => {
      const at = (headers: Headers) => send(pathTo(endpoint, ids()), askOf(endpoint, headers))
      // In `npm test`, a changing quarter of the endpoints get one of the four tokens each.
      for (const headers of inTurn(half.steps, Math.floor((endpoints.indexOf(endpoint) + seed) / 4), 4)) {
        expect((await at(headers)).status).toBe(401)
      }
      const { status, body } = await at(half.admin)
      expect([status, body.error.code]).toEqual([403, 'two-factor-required'])
    },
  )

  it.each(named.filter(([, { access }]) => access.to === 'website'))(
    'refuses another website’s key after checking the parameters: %s',
    async (_name, endpoint) => {
      const init = askOf(endpoint, withKey(stranger))
      const { status, body } = await answerToStranger(endpoint)
      expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'forbidden' })
      expect((await send(pathTo(endpoint, ids(), { surprise: '1' }), init)).status).toBe(400)
    },
  )

  const ofWebsites = named.filter(([, { path }]) => path.includes(':websiteId'))

  it.each(inTurn(ofWebsites, seed, 3))(
    'refuses a missing website in the same way as a forbidden one: %s',
    async (_name, endpoint) => {
      const opened = await answerToStranger(endpoint)
      const missing = await send(
        pathTo(endpoint, { websiteId: randomUUID(), eventId }),
        askOf(endpoint, withKey(stranger)),
      )
      const anonymous = ({ body }: typeof opened) => ({ ...body.error, requestId: '' })
      expect(anonymous(missing)).toEqual(anonymous(opened))
    },
  )

  it.each(reports.map((report) => [report.name, report] as const))(
    'answers exactly as declared, with and without its example’s events: %s',
    async (_name, report) => {
      const websiteId = websites.get(report)!
      const ids = { ...report.example.ids, ...(await savedFor(report, websiteId)) }
      const answerFor = (websiteId: string) => {
        const init = askOf(report, withKey(running.adminKey), { websiteId })
        return send(pathTo(report, { websiteId, ...ids }), init)
      }
      const [full, none] = [await answerFor(websiteId), await answerFor(empty)]
      const isMissing = report.refuses?.includes('not-found') ?? false
      expect([full.status, none.status]).toEqual([200, isMissing ? 404 : 200])
      for (const { body } of isMissing ? [full] : [full, none]) {
        expect(report.answer().parse(body)).toStrictEqual(body)
      }
      expect(full.body).not.toEqual(none.body)
      answers.set(report, JSON.stringify(full.body).replaceAll(websiteId, exampleId))
    },
  )

  it('answers each example as the OpenAPI document declares', async () => {
    const isTimed = ({ example }: AnyReport) => example.events.every((event) => 'created_at' in event)
    const missing = reports.filter((report) => isTimed(report) && !answers.has(report)).map(({ name }) => name)
    expect(missing, 'Run the whole file: the tests above collect the answers. With -u, it writes them.').toEqual([])
    const recorded = reports.filter(isTimed).map((report) => `  ${report.name}: ${answers.get(report)},\n`)
    await expect(
      `/** Each report's answer to its example. Generated by \`npx vitest run test/rules/every-endpoint.test.ts -u\`. */
export const recordedAnswers = (): Readonly<Record<string, unknown>> => ({
${recorded.join('')}})
`,
    ).toMatchFileSnapshot('../../src/serve/openapi/recorded.ts')
  })
})
