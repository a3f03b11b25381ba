import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client-web'
import * as fc from 'fast-check'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { run } from '../../src/clickhouse/run.ts'
import { chainTables } from '../../src/local/storage/chain-rows.ts'
import { seal } from '../../src/local/storage/seal.ts'
import { splitSessions } from '../../src/local/storage/shard.ts'
import { unseal } from '../../src/local/storage/unseal.ts'
import { compile } from '../../src/query/language/sql.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import { hourLength } from '../../src/request/time-zone.ts'
import { columnInstant } from '../oracle/instants.ts'
import type { IngestRow, OracleRequest, Report } from '../oracle/model.ts'
import { requestPath } from '../oracle/request-path.ts'
import { neverServed } from './cache-times.ts'
import { operator } from './callers.ts'
import { chainedResults, plannedKnowing } from './chained.ts'
import { isLate, latest, movedBy, openFrom, questions, rowsOf, shown } from './chains.ts'
import { type Cluster, shardNames } from './cluster.ts'
import { weir } from './commands.ts'
import { forEach } from './concurrently.ts'
import { type IsolateReply, isolate } from './isolate.ts'
import { inTurn, isLong } from './long.ts'
import { inputOf, questionOf } from './questions.ts'
import { routeTo } from './route.ts'
import { wholeWebsite } from './scope.ts'
import { seed } from './seed.ts'
import { unsealedDaysOf } from './unsealed-days.ts'
import { newWebsite } from './weir.ts'

const day = 86_400_000

type Asked = Pick<OracleRequest<Report>, 'endpoint' | 'query'>

/** Questions that chains answer if all days before today are sealed and no session is on two shards. */
const all: readonly Asked[] = [
  [openFrom - 60 * day, openFrom - 1],
  [openFrom - 365 * day, openFrom - 1],
  [openFrom - 365 * day, openFrom + 9 * hourLength + 1],
  [openFrom - 20 * day - 1, openFrom + 1_234_567],
].flatMap(([startAt, endAt]) =>
  [
    ['stats', {}],
    ['pageviews', { unit: 'month' }],
    ['metrics', { type: 'browser' }],
    ['metrics', { type: 'path' }],
    ['metrics', { type: 'exit' }],
    ['sessions/stats', {}],
  ].flatMap(([endpoint, own]) =>
    [{}, { device: 'neq.mobile' }].map((filters) => ({
      endpoint: endpoint as Report,
      query: Object.entries({ startAt: String(startAt), endAt: String(endAt), ...(own as object), ...filters }),
    })),
  ),
)

/** In `npm test`, one of these in turn, because each state of the shards takes seconds; in long runs, all of them. */
const oneOf = <Value>(some: readonly Value[]): readonly Value[] => inTurn(some, seed, some.length)

const sure = oneOf(all)

/** The states of the shards. In `npm test`, a changing third of them is tested with random questions. */
const states = [
  ...(['open', 'half', 'sealed', 'late', 'again', 'unsealed', 'missing', 'equal numbers', 'moved'] as const),
  'replicated',
] as const
const swept = inTurn(states, seed, 3)

const upToNow = all.find(({ endpoint, query }) => endpoint === 'stats' && Number(query[1]![1]) > openFrom)!

/** The same events on one server and on two shards, as two websites, because isolates cache website data. */
class Shards {
  readonly front: string
  readonly single: string
  readonly ask: Readonly<Record<'front' | 'single', ReturnType<typeof isolate>>>

  constructor(
    readonly cluster: Cluster,
    websites: readonly [front: string, single: string],
    newIsolate = isolate,
  ) {
    ;[this.front, this.single] = websites
    const asking = (database: 'sharded' | 'single') => {
      const { url } = cluster.server(database)
      return newIsolate(neverServed, { CLICKHOUSE_URL: `${url}/?database=${database}`, CHAINS_FROM: 1 })
    }
    this.ask = { front: asking('sharded'), single: asking('single') }
  }

  static async with(cluster: Cluster, rows: readonly IngestRow[]): Promise<Shards> {
    const shards = new Shards(cluster, [await newWebsite(), await newWebsite()])
    await shards.add(rows)
    return shards
  }

  /** Adds rows to the shard `place`, or by default to the session's shard. */
  async add(rows: readonly IngestRow[], place?: number): Promise<void> {
    const of = (website_id: string) => rows.map((row) => ({ ...row, website_id }))
    await this.cluster.insert('single.ingest', of(this.single))
    await this.cluster.insert(`${place === undefined ? 'sharded' : shardNames[place]}.ingest`, of(this.front))
  }

  /** Runs `work` with a client for a shard. */
  async on<Done>(shard: number, work: (client: ClickHouseClient) => Promise<Done>): Promise<Done> {
    const { url, database } = this.cluster.shard(shard)
    const client = createClient({ url, database })
    return work(client).finally(() => client.close())
  }

  /** Seals these shards. If given, `at` is the current time for both of them, in microseconds. */
  async seal(some: readonly number[] = [1, 2], at?: number): Promise<void> {
    for (const shard of some) {
      const options = { websiteIds: [this.front], patience: 0 }
      await this.on(shard, (client) => seal(at === undefined ? client : clockedAt(at, client), options))
      if (!isLong && shard !== 1 + (seed % 2)) continue
      expect(await this.on(shard, (client) => seal(client, options))).toEqual({ sealed: 0, differing: [] })
    }
  }

  answerOf(where: 'front' | 'single', { endpoint, query }: Asked, more: Asked['query'] = []): Promise<IsolateReply> {
    const request = { endpoint, query: [...query, ...more], websiteId: this[where] } as OracleRequest<Report>
    return this.ask[where](requestPath(request), operator)
  }

  /** Asserts that both Workers give the same answer. */
  async agree(asked: Asked): Promise<void> {
    const [front, single] = await Promise.all([this.answerOf('front', asked), this.answerOf('single', asked)])
    const text = front.text.replaceAll(this.front, this.single)
    expect({ asked, status: front.status, text }).toEqual({ asked, status: 200, text: single.text })
  }

  /** Whether chains answer the first statement on the front. Each of their forms must give the plain answer. */
  async isAnswered(asked: Asked, plan = this.planned(asked)): Promise<boolean> {
    const route = routeTo(this.cluster.server('sharded'))
    const [statement] = Object.values(await plan)
    const { cheaper: _, ...whole } = statement!
    const results = await chainedResults(route, statement!)
    if (results.length === 0) return false
    const expected = shown(await run(route, whole, new AbortController().signal))
    for (const result of results) if (result) expect({ asked, ...shown(result) }).toEqual({ asked, ...expected })
    return results[0] !== undefined
  }

  /** The plan for a question, created with the current notes. */
  planned({ endpoint, query }: Asked): Promise<Readonly<Record<string, Statement<unknown>>>> {
    const { report, ...asked } = questionOf({ endpoint, query, websiteId: this.front } as OracleRequest<Report>)
    const scope = { ...wholeWebsite(this.front), closedBefore: openFrom, chainsFrom: 1 }
    const input = inputOf({ report, ...asked }) as never
    const route = routeTo(this.cluster.server('sharded'))
    return plannedKnowing(route, (known) => report.plan(input, { ...scope, ...(known && { known }) }))
  }

  /** Compares the answers to random questions. */
  async sweep(state: (typeof states)[number], count: number): Promise<void> {
    if (!swept.includes(state)) return
    const drawn = fc.sample(questions, { numRuns: count, seed: seed + states.indexOf(state) })
    await forEach(
      drawn.map((draw) => draw(movedBy.nothing)),
      async ({ endpoint, query }) => {
        const asked = { endpoint: endpoint as Report, query: Object.entries(query) }
        await this.agree(asked)
        await this.isAnswered(asked)
      },
    )
  }

  async delete(shard: number, table: string, where: string): Promise<void> {
    await this.on(shard, (client) =>
      client.command({
        query: `ALTER TABLE ${table} DELETE WHERE website_id = '${this.front}' AND ${where}`,
        clickhouse_settings: { mutations_sync: '2' },
      }),
    )
  }
}

/** A client whose server's clock shows this time, in microseconds. */
const clockedAt = (at: number, client: ClickHouseClient): ClickHouseClient =>
  Object.assign(Object.create(client), {
    query: ({ query, ...more }: { readonly query: string }) =>
      client.query({ query: query.replace('toUnixTimestamp64Micro(now64(6))', `toUInt64(${at})`), ...more }),
  })

/** A client for a shard with two replicas. Adds to `sent` the number of replicas that each insert waits for. */
function replicated(client: ClickHouseClient, sent: unknown[]): ClickHouseClient {
  const quorumOf = ({ clickhouse_settings = {} }: { clickhouse_settings?: ClickHouseSettings }) =>
    sent.push(clickhouse_settings.insert_quorum)
  return Object.assign(Object.create(client), {
    query: ({ query, ...more }: { readonly query: string }) => {
      const seen = query.replace('anyIf(engine, database = own)', "'ReplicatedMergeTree'")
      return client.query({ query: seen.replace('max(total_replicas)', '2 + 0 * max(total_replicas)'), ...more })
    },
    command(given: Parameters<ClickHouseClient['command']>[0]) {
      if (given.query.startsWith('INSERT')) quorumOf(given)
      return client.command(given)
    },
    insert(given: Parameters<ClickHouseClient['insert']>[0]) {
      quorumOf(given)
      return client.insert(given)
    },
  })
}

/** Sends this many random questions in each state. */
export function sweepShards(clusterOf: () => Cluster, numRuns: number): void {
  const drawn = fc.sample(rowsOf('nothing'), { numRuns: 1, seed: seed + 50 })[0]!
  // Writers do not send the channel list version.
  const sent = drawn.map(({ channel_lists: _, ...row }) => row as IngestRow)
  const rows = sent.filter(({ created_at }) => columnInstant(created_at!) < latest)
  const [early, late] = [rows.filter((row) => !isLate(row)), rows.filter(isLate)]
  /** Whether chains answer each of these questions. */
  const areAnswered = async (shards: Shards, asked: readonly Asked[], isAnswered: boolean): Promise<void> =>
    forEach(asked, async (one) => expect([one, await shards.isAnswered(one)]).toEqual([one, isAnswered]))

  describe('chains on two shards', () => {
    let shards: Shards
    let [unsealedBefore, lastEnded] = [0, 0]
    const unsealed = () => unsealedDaysOf(clusterOf().server('sharded'))

    beforeAll(async () => {
      shards = await Shards.with(clusterOf(), early)
      // A day counts as unsealed once it has ended for an hour.
      lastEnded = Math.floor((Date.now() - hourLength) / day) * day
      unsealedBefore = await unsealed()
    })

    it('do not answer before both shards are sealed', async () => {
      await shards.sweep('open', numRuns)
      await shards.seal([1])
      await shards.sweep('half', numRuns)
      await areAnswered(shards, sure, false)
    })

    it('answer on the front like one server', async () => {
      await shards.seal()
      await areAnswered(shards, sure, true)
      await shards.sweep('sealed', numRuns)
      const isOfLastWeek = (moment: number) => moment >= openFrom - 7 * day && moment < lastEnded
      const moments = early.filter((row) => row.event_type !== 5).map((row) => columnInstant(row.created_at!))
      const ofLastWeek = new Set(moments.filter(isOfLastWeek).map((moment) => Math.floor(moment / day)))
      expect(unsealedBefore - (await unsealed())).toBe(ofLastWeek.size)
      // For a minute, isolates that share modules remember that the days were not sealed.
      vi.resetModules()
      const another = await import('./isolate.ts')
      const fresh = new Shards(clusterOf(), [shards.front, shards.single], another.isolate)
      await forEach(sure, async (asked) => {
        await fresh.agree(asked)
        expect((await fresh.answerOf('front', asked, [['dryRun', 'true']])).text).toContain('"source":"sealed hours"}')
      })
    })

    it('agree after late events on one shard, and after it is sealed again', async () => {
      const plans = sure.map((asked) => [asked, shards.planned(asked)] as const)
      await Promise.all(plans.map(([, plan]) => plan))
      const [one] = late
      const ofOne = late.filter(({ session_id }) => session_id === one!.session_id)
      await shards.add(ofOne)
      for (const [asked, plan] of plans) await shards.isAnswered(asked, plan)
      await shards.sweep('late', numRuns)
      await shards.seal()
      await areAnswered(shards, sure, true)
      for (const [asked, plan] of plans) await shards.isAnswered(asked, plan)
      await shards.sweep('again', numRuns)
    })

    it('do not answer if a shard is unsealed, not stored by all its replicas, or lacks rows of its seal', async () => {
      const known = await shards.planned(upToNow)
      expect(await shards.isAnswered(upToNow, Promise.resolve(known))).toBe(true)
      // The rows still exist, but may be deleted on another replica.
      await clusterOf().run(`INSERT INTO ${shardNames[1]}.seals
        SELECT website_id, day, shard, seal + 1, began, done, [], [], 0 FROM ${shardNames[1]}.seals
        WHERE website_id = '${shards.front}' AND day >= toDate32(now('UTC')) - 30`)
      expect(await shards.isAnswered(upToNow, Promise.resolve(known))).toBe(false)
      const sent: unknown[] = []
      const onReplicas = <Done>(work: (client: ClickHouseClient) => Promise<Done>) =>
        shards.on(2, (client) => work(replicated(client, sent)))
      await onReplicas((client) => unseal(client, [shards.front]))
      await areAnswered(shards, sure, false)
      await shards.sweep('unsealed', numRuns)
      await onReplicas((client) => seal(client, { websiteIds: [shards.front], patience: 0 }))
      await areAnswered(shards, sure, true)
      await shards.sweep('replicated', numRuns)
      // Both replicas of the shard have to store each part of a seal before it is used.
      expect(sent.length).toBeGreaterThan(4)
      expect(new Set(sent)).toEqual(new Set(['2']))
      for (const table of chainTables) await shards.delete(2, table, '1')
      await areAnswered(shards, sure, false)
      await shards.sweep('missing', numRuns)
    })

    it('count only those sessions at a range’s ends that the next read also finds, as a front requires', async () => {
      const [statement] = Object.values(await shards.planned(upToNow))
      const { query } = compile(statement!.cheaper![0]!.statements[1]!.body)
      const [found, of] = ['session_id global in (select session_id from events', 'session_key global in (select']
      expect(query.indexOf(found)).toBeGreaterThan(0)
      expect(query.indexOf(of)).toBeGreaterThan(query.indexOf(found))
    })

    it('count a seal’s rows only on its own shard', async () => {
      const equal = await Shards.with(clusterOf(), rows)
      await equal.seal([1, 2], (Date.now() - day) * 1000)
      await areAnswered(equal, sure, true)
      await equal.sweep('equal numbers', numRuns)
      // The number of actions is the same as before, and the seal's number was noted, but on the other shard.
      for (const table of chainTables) {
        const [first, second] = shardNames.map((name) => `${name}.${table}`)
        const columns = table === 'chained_values' ? '0 AS value_before' : '0 AS session_before'
        await clusterOf().run(`INSERT INTO ${second} SELECT * REPLACE (${columns}) FROM ${first}
          WHERE website_id = '${equal.front}'`)
        await equal.delete(1, table, '1')
      }
      await areAnswered(equal, sure, false)
    })

    it('do not answer for days on which a session is on two shards; check finds these sessions', async () => {
      const moved = await Shards.with(clusterOf(), [])
      // A shard was added 20 days ago, and some sessions moved to it.
      const start = openFrom - 20 * day
      const placeOf = ({ session_id, created_at }: IngestRow) =>
        Number(/[02468]$/.test(session_id!) || (/[357]$/.test(session_id!) && columnInstant(created_at!) >= start))
      for (const place of [0, 1])
        await moved.add(
          rows.filter((row) => placeOf(row) === place),
          place,
        )
      await moved.seal()
      const long = all.filter(({ query }) => Number(query[0]![1]) < start - day)
      await areAnswered(moved, oneOf(long), false)
      await moved.sweep('moved', numRuns)
      const before = oneOf(all.slice(0, 3)).map(({ endpoint, query }) => ({
        ...{ endpoint, query: [...query.filter(([name]) => name !== 'endAt'), ['endAt', String(start - 1)] as const] },
      }))
      await areAnswered(moved, before as never, true)
      const { url, database } = clusterOf().shard(1)
      const env = { CLICKHOUSE_URL: `${url}/?database=${database}` }
      const { stdout } = await weir(['check', '--website', moved.front], { env })
      expect(stdout).toMatch(
        new RegExp(`^hourly_visits \\d{4}-\\d\\d ${moved.front}: \\d+ sessions also have rows on another shard$`, 'm'),
      )
      expect(stdout).toContain('chained_hours: agrees with its sources')
      expect(await shards.on(1, (client) => splitSessions(client, { websiteIds: [shards.front] }))).toEqual([])
    })
  })
}
