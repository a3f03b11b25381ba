import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isAudited } from '../../src/endpoints/facts.ts'
import { endpoints } from '../../src/endpoints/index.ts'
import { forLong } from '../support/cache-times.ts'
import { type CachedWorker, cachedWorker } from '../support/cached.ts'
import { forEach } from '../support/concurrently.ts'
import { keyOf } from '../support/good-requests.ts'
import { isLong } from '../support/long.ts'
import { metadata } from '../support/metadata.ts'
import { once } from '../support/once.ts'
import { rowless, rowlessServer } from '../support/rowless.ts'
import { seed } from '../support/seed.ts'
import { running, send } from '../support/weir.ts'
import { requestOf } from './requests.ts'
import { expected, expectedOfExports } from './table.ts'
import { type Caller, callers, newWorld, targetOf, type World } from './world.ts'

const byKey = new Map(endpoints.map((endpoint) => [keyOf(endpoint), endpoint]))
const isReport = (endpoint: string): boolean => byKey.get(endpoint)?.kind === 'report'

/**
 * Whether shares and the public have access depends on a report's own sections, so each run tests only one of the two.
 */
const opened: readonly Caller[] = ['share', 'public']

/**
 * The callers. `npm test` uses the owner, one of the two openings, and a changing sixteenth of the other callers.
 */
const inTurn = (endpoint: string, statuses: Readonly<Record<Caller, number>>): readonly Caller[] => {
  const turn = expected.findIndex((one) => one.endpoint === endpoint) + seed
  const isAsking = (caller: Caller, place: number): boolean =>
    isLong ||
    caller === 'owner' ||
    (caller === 'admin' && statuses.owner >= 400) ||
    caller === opened[turn % 2] ||
    (place + turn) % 16 === 0
  return callers.filter(isAsking)
}

const secret = readFileSync(`${running.dataDir}/auth-secret`, 'utf8')
const fresh = (): Promise<World> => newWorld(metadata, secret)

/** A world that stays unchanged, and one in which tests add and replace objects without changing permissions. */
const [unchanged, growing] = [once(fresh), once(fresh)]

/** Whether requests of this kind change nothing. */
const isRead = (endpoint: string): boolean => endpoint.startsWith('GET ') || isReport(endpoint)

/** Whether requests of this kind remove an object, or grant or revoke a right. */
const movesRights = (endpoint: string): boolean =>
  endpoint.startsWith('DELETE ') || /\/(transfer|join|password|logout|confirm|:teamId\/users)$/.test(endpoint)

/** Reports use the cache, which may return its content only to permitted callers. */
let cached: CachedWorker
beforeAll(async () => {
  cached = await cachedWorker(forLong, { server: rowlessServer })
})
afterAll(() => cached.close())

/** The status for this caller, and the audit log's entries about the request, which comes from a separate network. */
async function answerTo(caller: Caller, endpoint: string, world: World) {
  const { path, headers, ...init } = requestOf(endpoint, caller, world, world.targets[targetOf(caller)])
  if (!isReport(endpoint)) {
    const network = ['2001', 'db8', ...[1, 2].map(() => randomInt(1, 65_536).toString(16))].join(':')
    const reply = await send(path, { ...init, headers: { ...headers, 'cf-connecting-ip': `${network}::1` } })
    const entries = metadata.prepare('SELECT action FROM audit_entries WHERE network = ?1').bind(network)
    return { ...reply, recorded: (await entries.all<{ action: string }>()).results.map(({ action }) => action) }
  }
  const { status, text } = await cached.ask(path, headers, init)
  return { status, body: JSON.parse(text), recorded: [] }
}

describe('the permission table', () => {
  it('has exactly one row for every endpoint', () => {
    expect(expected.map(({ endpoint }) => endpoint).sort()).toEqual([...byKey.keys()].sort())
  })

  it.each(expected.map(({ endpoint, status }) => [endpoint, status] as const))(
    'is correct for %s, with answers as declared and an audit log entry for each change',
    async (endpoint, statuses) => {
      const asking = inTurn(endpoint, statuses)
      let world = await (isRead(endpoint) ? unchanged : movesRights(endpoint) ? fresh : growing)()
      const answered: Partial<Record<Caller, number>> = {}
      const { name, ...declared } = byKey.get(endpoint)!
      const answer = declared.answer()
      const asks = async (caller: Caller): Promise<void> => {
        const { status, body, recorded } = await answerTo(caller, endpoint, world)
        answered[caller] = status
        const isChange = status === 200 && declared.kind === 'action' && isAudited({ name, ...declared })
        expect([caller, recorded]).toEqual([caller, isChange ? [name] : []])
        // The document declares every caller's answer.
        if (status === 200) expect(answer.parse(body)).toStrictEqual(body)
      }
      if (!movesRights(endpoint)) await forEach(asking, asks)
      else {
        for (const caller of asking) {
          await asks(caller)
          // The changed object has already been deleted or transferred.
          if (answered[caller]! < 400) world = await fresh()
        }
      }
      expect(answered).toEqual(Object.fromEntries(asking.map((caller) => [caller, statuses[caller]])))
    },
  )

  const exported = endpoints.filter((one) => one.kind === 'report' && one.export).map((one) => keyOf(one))

  // All exports are tested only in long runs, because they share their code and checks.
  it.each(isLong ? exported : exported.filter((_, place) => (place + seed) % 8 === 0))(
    'holds for %s in other formats',
    async (endpoint) => {
      const world = await unchanged()
      const asking = inTurn(endpoint, expectedOfExports.status)
      const answered = await Promise.all(
        asking.map(async (caller) => {
          const { path, headers } = requestOf(endpoint, caller, world, world.targets[targetOf(caller)])
          const answer = await fetch(rowless.url + path, { headers: { ...headers, accept: 'application/x-ndjson' } })
          await answer.text()
          return [caller, answer.status]
        }),
      )
      const wanted = asking.map((caller) => [caller, expectedOfExports.status[caller]])
      expect(Object.fromEntries(answered)).toEqual(Object.fromEntries(wanted))
    },
  )
})
