import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createClient } from '@clickhouse/client-web'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { Replica } from '../../src/clickhouse/replicas.ts'
import type { Server } from '../../src/clickhouse/server.ts'
import { readWatermark } from '../../src/clickhouse/watermark.ts'
import { type AnyReport, report } from '../../src/endpoints/endpoint.ts'
import { purchase } from '../../src/endpoints/examples.ts'
import { root } from '../../src/local/paths.ts'
import { clusterScript, migrateEvents } from '../../src/local/storage/migrations.ts'
import { compile, type Fragment, instant, sql, uuid } from '../../src/query/language/sql.ts'
import { select } from '../../src/query/language/statement.ts'
import { range } from '../../src/request/period.ts'
import { query } from '../../src/request/query-string.ts'
import { emptied, faults, notOnce, sendUntilTaken, sent } from '../collect/senders.ts'
import { world } from '../collect/world.ts'
import { namesFor } from '../facts/oracle-of.ts'
import { eventOracle, statisticOracle } from '../facts/oracles.ts'
import { event, id, string, WEBSITE } from '../oracle/fixtures.ts'
import { requestsTo } from '../oracle/generate-requests.ts'
import { statisticRequests } from '../oracle/generate-statistics.ts'
import type { World } from '../oracle/generate-world.ts'
import { worlds } from '../oracle/generate-world.ts'
import type { Endpoint, IngestRow, OracleRequest, Report, Statistic } from '../oracle/model.ts'
import { requestPath } from '../oracle/request-path.ts'
import { type Cluster, type Database, lasting, shardNames, startCluster, statementsOf } from '../support/cluster.ts'
import { forEach } from '../support/concurrently.ts'
import { eventsIn } from '../support/lines.ts'
import { inTurn, isLong, runs } from '../support/long.ts'
import { answerFrom, planOf, type Question, questionOf } from '../support/questions.ts'
import { reportOf, reports } from '../support/reports.ts'
import { seed } from '../support/seed.ts'
import { sweepShards } from '../support/shards.ts'
import { relocated, seedOnly } from '../support/worlds.ts'

let cluster: Cluster

beforeAll(async () => {
  cluster = await startCluster(!isLong)
  await cluster.ingest(sixteenSessions)
})

afterAll(() => cluster?.close())

/** Every session has an event `shared`, and the first one also has an event `lonely`. */
const sixteenSessions: IngestRow[] = Array.from({ length: 17 }, (_, index) =>
  event({ session_id: id(index % 16), event_id: id(index), event_name: index === 16 ? 'lonely' : 'shared' }, [
    string('plan', 'pro'),
  ]),
)

const day: Question['query'] = [
  ['startAt', '1760486400000'],
  ['endAt', '1760572799999'],
]

const answer = (database: Database, question: Question) => answerFrom(cluster.server(database), question)

/** The plain database whose answers each distributed database must match. */
const plain = { sharded: 'single', doubled: 'twice' } as const satisfies Partial<Record<Database, Database>>

type Distributed = keyof typeof plain

const both: readonly Distributed[] = ['sharded', 'doubled']

/**
 * Every fourth question is sent to both databases, and the others only to the shards. `npm run test:long` sends all of
 * them to both.
 */
const askedOf = (index: number): readonly Distributed[] => (isLong || index % 4 === 0 ? both : ['sharded'])

/**
 * Asserts that these databases answer like the plain ones, on this page and on the next one by cursor. Returns the
 * first database's plain answer.
 */
async function agrees(question: Question, name: string, asked = both, pages = 2) {
  const answers = await Promise.all(
    asked.map((distributed) => Promise.all([answer(distributed, question), answer(plain[distributed], question)])),
  )
  for (const [index, distributed] of asked.entries()) {
    const [given, expected] = answers[index]!
    expect({ name, distributed, ...given }).toEqual({ name, distributed, ...expected })
  }
  const [, expected] = answers[0]!
  if (expected.next !== undefined && pages > 1) await agrees(following(question, expected.next), name, asked, pages - 1)
  return expected
}

const following = (question: Question, cursor: string): Question => ({
  ...question,
  query: [...question.query.filter(([name]) => name !== 'page' && name !== 'cursor'), ['cursor', cursor]],
})

const drawn = (world: World, report: Endpoint | Statistic): fc.Arbitrary<OracleRequest<Report>> =>
  isStatistic(report) ? statisticRequests(world, report) : requestsTo(world, report)

const isStatistic = (report: Endpoint | Statistic): report is Statistic =>
  (statistics as readonly Report[]).includes(report)

const asked = runs(1, 10)

const lists = namesFor<Endpoint>(eventOracle)
const statistics = namesFor<Statistic>(statisticOracle)

/** Four widely spaced items of a list, or all of them in `npm run test:long`. */
const few = <Report>(all: readonly Report[]): readonly Report[] =>
  isLong ? all : all.filter((_, index) => index % Math.ceil(all.length / 4) === 0)

const random = [...few(lists), ...few(statistics)]

/** Groups of reports that share worlds. In `npm test`, all share one. */
const groups = isLong ? random.map((report) => [report]) : [random]

describe('every statement gives the same answer on two shards as on one server', () => {
  it.each(groups.map((group) => [group.join(', '), group] as const))('%s', async (_, group) => {
    const several = { minLength: asked, maxLength: asked, size: 'max' } as const
    const questions = worlds
      .filter(({ rows }) => rows.length > 0)
      .chain((world) =>
        fc.record({
          world: fc.constant(world),
          requests: fc.tuple(...group.map((report) => fc.array(drawn(world, report), several))),
        }),
      )
    await fc.assert(
      fc.asyncProperty(questions, async ({ world, requests }) => {
        const { rows, idOf } = relocated(world, ['website_id', 'session_id'])
        await cluster.ingest(rows)
        await forEach([...requests.flat().entries()], async ([index, request]) => {
          const moved = { ...request, websiteId: idOf(request.websiteId) }
          await agrees(questionOf(moved), requestPath(moved), isLong ? both : [both[index % 2]!])
        })
      }),
      { numRuns: runs(1, 3), endOnFailure: true, asyncReporter: seedOnly },
    )
  })
})

describe('a cohort', () => {
  const parameters = { dateRange: 'all', action: { type: 'event', value: 'lonely' } } as const
  const saved = [{ id: id(1), type: 'cohort' as const, parameters }]

  it.each(
    inTurn(
      lists.filter((endpoint) => hasRange(endpoint)),
      seed,
      8,
    ).map((endpoint, index) => [endpoint, askedOf(index)] as const),
  )('has the same sessions on two shards: %s, %j', async (endpoint, asked) => {
    const query: Question['query'] = [...needed(endpoint), ['cohort', id(1)]]
    const question = { report: reportOf({ endpoint }), websiteId: WEBSITE, query, saved }
    const one = await agrees(question, endpoint, asked)
    expect(one).not.toEqual(await answer('sharded', { ...question, query: needed(endpoint) }))
    expect(one).not.toEqual(await answer('sharded', { ...question, query: [...query, ['browser', 'nothing']] }))
  })
})

describe('sequences of a session’s events', () => {
  const websiteId = id(77)
  const steps = JSON.stringify(['/a', '/b', '/c'].map((value) => ({ type: 'path', value })))
  const questions: readonly (readonly [endpoint: string, more: Readonly<Record<string, string>>])[] = [
    ['funnels/stats', { window: '1', steps }],
    ['funnels/stats', { window: '0.01', steps, event: 'buy' }],
    ['journeys', { steps: '3' }],
    ['journeys', { steps: '7', endStep: 'buy', match: 'any', event: 'buy' }],
    ['retention', {}],
    ['attribution', { model: 'last-click', type: 'event', step: 'b*' }],
    ['attribution', { model: 'first-click', type: 'path', step: '/c', excludeBounce: 'true' }],
  ]

  beforeAll(async () => {
    const visits = [...'ABCDEFGHIJKLMNOPQRSTUVWX'].flatMap((session, index) => [
      `${session}1 12:00:00 /a utm_source=${session}`,
      ...(index % 2 === 0 ? [`${session}1 12:00:00.${index + 100} /b`] : []),
      ...(index % 3 === 0 ? [`${session}1 12:00:10 /c`, `${session}1 12:00:10 buy`, `${session}2 12:01:10 /a`] : []),
    ])
    await cluster.ingest(eventsIn(visits.join('\n')).map((row) => ({ ...row, website_id: websiteId })))
  })

  it.each(questions.map(([endpoint, more], index) => [endpoint, more, askedOf(index)] as const))(
    'are complete on two shards: %s %j, %j',
    async (endpoint, more, asked) => {
      const report = reports.find(({ path }) => path === `/api/websites/:websiteId/${endpoint}`)!
      const question = { report, websiteId, query: [...day, ...Object.entries(more)] }
      expect(JSON.stringify(await agrees(question, endpoint, asked))).toMatch(/[1-9]/)
    },
  )
})

/** A website whose sessions have rows on both shards. */
const splitWebsite = id(79)

describe('every report', () => {
  const [whole, split] = [id(78), splitWebsite]
  const now = Date.now()

  /** All examples' events, each in eight sessions. Events without a time happened a minute ago. */
  const distinct = <Row>(rows: readonly Row[]): Row[] => [
    ...new Map(rows.map((row) => [JSON.stringify(row), row])).values(),
  ]
  const examples = distinct([purchase, ...reports.flatMap(({ example }) => example.events)])
  const calls = distinct(reports.flatMap(({ example }) => example.calls ?? []))
  const times = Array.from({ length: 8 }, (_, index) => index)
  const sessionOf = (session_id: unknown, time: number) =>
    time === 0 ? session_id : String(session_id).replace(/.$/, '18902345'[time]!)
  const events = times.flatMap((time) =>
    examples.map((row, index) => ({
      created_at: new Date(now - 60_000).toISOString().replace('T', ' ').slice(0, -1),
      ...row,
      session_id: sessionOf(row.session_id, time),
      visit_id: sessionOf(row.visit_id, time),
      event_id: time === 0 && index === 0 ? purchase.event_id : id(5000 + 100 * time + index),
    })),
  )
  const identified = times.flatMap((time) =>
    calls.map((row) => ({ ...row, session_id: sessionOf(row.session_id, time), distinct_id: `visitor ${time % 3}` })),
  )
  const doors = { ingest: events, ingest_session_data: identified }
  const of = (website_id: string, rows: readonly object[]) => rows.map((row) => ({ ...row, website_id }))

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now })
    for (const [door, rows] of Object.entries(doors)) {
      await cluster.insert(`single.${door}`, of(whole, rows))
      await cluster.insert(`sharded.${door}`, of(whole, rows))
      for (const shard of [0, 1]) {
        const some = rows.filter((_, index) => index % 2 === shard)
        await cluster.insert(`${shardNames[shard]}.${door}`, of(split, some))
      }
    }
  })

  afterAll(() => void vi.useRealTimers())

  /**
   * `npm test` uses a different sixth of the reports in each run, on one of the two websites. `npm run test:long` uses
   * each report on both. `test/query/rules.test.ts` checks the statements of all reports.
   */
  const questions = inTurn(reports, seed, 6).flatMap((report, index) =>
    (isLong ? [whole, split] : [[whole, split][index % 2]!]).map(
      (websiteId) => [`${report.method} ${report.path}`, websiteId === whole ? 'whole' : 'split', report] as const,
    ),
  )

  it.each(questions)(
    'answers its example on shards as it does on one server: %s, with %s sessions',
    async (_, kind, report) => {
      const { query, ids = {} } = report.example
      const question = { report, query: Object.entries(query), eventId: purchase.event_id, ...ids }
      const [single, sharded] = await Promise.all([
        answer('single', { ...question, websiteId: whole }),
        answer('sharded', { ...question, websiteId: kind === 'whole' ? whole : split }),
      ])
      expect(JSON.parse(JSON.stringify(sharded).replaceAll(split, whole))).toEqual(JSON.parse(JSON.stringify(single)))
    },
  )

  it.each(['events', 'custom_events', 'session_data', 'session_events', 'hourly_visits', 'sales'])(
    'finds each session on only one shard: %s',
    async (table) => {
      const query = `SELECT uniqExact(session_id), uniqExact(shard), uniqExact(session_id, shard) FROM (
        SELECT session_id, 1 AS shard FROM ${shardNames[0]}.${table} WHERE website_id = {website:UUID} UNION ALL
        SELECT session_id, 2 AS shard FROM ${shardNames[1]}.${table} WHERE website_id = {website:UUID})`
      const [found] = await cluster.ask('single', query, { website: whole })
      const [sessions, shards, together] = found!.split('\t').map(Number)
      expect({ shards, together }).toEqual({ shards: 2, together: sessions })
    },
  )
})

sweepShards(() => cluster, runs(1, 20))

describe('a front’s watermark', () => {
  it('is no newer than its shard’s tables, which replicate separately', async () => {
    const watermark = () => {
      const server = { ...cluster.server('single'), database: 'late' }
      return readWatermark({ server } as unknown as Replica)
    }
    await cluster.run('CREATE DATABASE late')
    await cluster.run("CREATE TABLE late.heartbeats (source String, at DateTime64(3, 'UTC')) ENGINE = Memory")
    await cluster.run("INSERT INTO late.heartbeats VALUES ('', '2025-10-15 12:00:00')")
    const moment = Date.UTC(2025, 9, 15, 12)
    await expect.poll(watermark).toBe(moment)
    await expect(cluster.run("INSERT INTO sharded.heartbeats (source) VALUES ('')")).rejects.toThrow('sharding key')
    await cluster.run('CREATE DATABASE late_shard')
    // Replicated tables stay read-only here, so this table seems to have lagged since 1970.
    const replicated = "ReplicatedMergeTree('/clickhouse/tables/1/late_shard/events', 'a') ORDER BY x"
    await cluster.run(`CREATE TABLE late_shard.events (x UInt8) ENGINE = ${replicated}`)
    await expect.poll(watermark).toBeLessThan(moment)
  })
})

/** Replicated tables stay read-only here, so this creates empty ones with the columns that later files add. */
function withColumns(statement: string, all: readonly string[]): string {
  const added = all.flatMap((one) => {
    const [, table, column] =
      /^ALTER TABLE made_shard\.(\w+)\s+ADD COLUMN IF NOT EXISTS (.+?)(?: AFTER \w+)?$/s.exec(one) ?? []
    return column ? [{ table, column }] : []
  })
  const [, name] = /^CREATE TABLE IF NOT EXISTS made_shard\.(\w+)/.exec(statement) ?? []
  const columns = added.filter(({ table }) => table === name).map(({ column }) => `, ${column}`)
  return statement.replace(/(?=\)\s*ENGINE = )/, () => columns.join(''))
}

describe('the statements of migrate --cluster', () => {
  it('are each valid, and create all of a shard’s tables when ON CLUSTER is removed', async () => {
    const names = { cluster: 'pair', front: 'made', shards: 'made_shard' }
    const sent = clusterScript(names)
      .split(/;\n/)
      .filter((one) => one.trim() !== '')
    const query = 'SELECT formatQuerySingleLine(arrayJoin({statements:Array(String)}))'
    const formatted = await cluster.ask('single', query, { statements: sent })
    expect(formatted).toHaveLength(sent.length)
    expect(formatted.filter((one) => !/ ON CLUSTER `?pair`?|^INSERT INTO made\./.test(one))).toEqual([])
    const all = statementsOf(names).map((statement) => statement.replace(/^(?:--.*\n)+/, ''))
    // The test below creates the front and the views.
    const statements = lasting(all)
      .filter((statement) => /ENGINE = (?:Null|Replicated)/.test(statement))
      .map((statement) => withColumns(statement, all))
    for (const database of ['made', 'made_shard']) await cluster.run(`CREATE DATABASE ${database}`)
    for (const statement of statements) await cluster.run(statement)
    const engines = ['Null', 'Replicated']
    const counted = engines.map((engine) => `countIf(engine LIKE '${engine}%')`)
    const [found] = await cluster.ask(
      'single',
      `SELECT ${counted} FROM system.tables WHERE database IN ('made', 'made_shard')`,
    )
    expect(found!.split('\t').map(Number)).toEqual(
      engines.map((engine) => statements.filter((one) => one.includes(`ENGINE = ${engine}`)).length),
    )
    const [path] = await cluster.ask(
      'single',
      "SELECT zookeeper_path, replica_path FROM system.replicas WHERE database = 'made_shard' AND table = 'sales'",
    )
    expect(path).toBe('/clickhouse/tables/1/made_shard/sales\t/clickhouse/tables/1/made_shard/sales/replicas/a')
  })
})

/**
 * A server that runs cluster statements only on itself. It turns replicated tables into plain ones, because replicated
 * ones would be read-only here.
 */
async function oneServerAsCluster(): Promise<{ server: Server; sent: string[]; close(): void }> {
  const { url, ...rest } = cluster.server('single')
  const sent: string[] = []
  const proxy = createServer(async (request, response) => {
    const statement = await text(request)
    sent.push(statement)
    const body = statement
      .replace(" ON CLUSTER 'pair'", '')
      .replace(/Replicated(\w*MergeTree)\('[^']*', '[^']*'(?:, )?/, '$1(')
    const answer = await fetch(new URL(request.url!, url), { method: 'POST', body })
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const server = { ...rest, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, database: 'fleet' }
  const close = () => {
    proxy.closeAllConnections()
    proxy.close()
  }
  return { server, sent, close }
}

describe('migrate --cluster', () => {
  it('applies each file once, on all servers, and refuses databases of an unexpected form', async () => {
    const { server, sent, close } = await oneServerAsCluster()
    const migrate = async (database: string, name?: string) => {
      const client = createClient({ url: server.url, database })
      return migrateEvents(client, { ...server, database }, undefined, name).finally(() => client.close())
    }
    const files = readdirSync(`${root}/sql/events`).sort()
    expect(await migrate('fleet', 'pair')).toEqual(files)
    const made = sent.filter((statement) => /^(?:--.*\n)*(?:CREATE|ALTER|DROP)/.test(statement))
    expect(made.length).toBeGreaterThan(40)
    expect(made.filter((statement) => !statement.includes(" ON CLUSTER 'pair'"))).toEqual([])
    const engines = ['Distributed', 'Null', 'MaterializedView']
    const [found] = await cluster.ask(
      'single',
      `SELECT ${engines.map((engine) => `countIf(engine = '${engine}')`)} FROM system.tables
       WHERE database IN ('fleet', 'fleet_shard')`,
    )
    const last = lasting(statementsOf({ cluster: 'pair', front: 'fleet', shards: 'fleet_shard' }))
    const parts = ['ENGINE = Distributed', 'ENGINE = Null', 'CREATE MATERIALIZED VIEW']
    expect(found!.split('\t').map(Number)).toEqual(parts.map((part) => last.filter((one) => one.includes(part)).length))
    expect(await migrate('fleet', 'pair')).toEqual([])
    await expect(migrate('fleet')).rejects.toThrow('fleet.ingest is a Distributed table, the front of a cluster')
    await expect(migrate('single', 'pair')).rejects.toThrow('single.ingest is not the front of a cluster')
    await expect(migrate('made_shard')).rejects.toThrow('made_shard.events is a shard of a cluster')
    await cluster.run('DROP TABLE fleet.migrations')
    await expect(migrate('fleet', 'pair')).rejects.toThrow('fleet.migrations is missing')
    close()
  })
})

describe('the two shards', () => {
  it('each contain some of the events, and together contain each event once', async () => {
    const isWhole = `website_id != '${splitWebsite}'`
    const counts = async (...tables: string[]): Promise<number[]> =>
      Promise.all(
        tables.map(async (table) =>
          Number(await cluster.ask('single', `SELECT count() FROM ${table} WHERE ${isWhole}`)),
        ),
      )
    const [one, other, all] = await counts(...shardNames.map((name) => `${name}.events`), 'single.events')
    expect({ one: one! > 0, other: other! > 0, together: one! + other! }).toEqual({
      ...{ one: true, other: true, together: all },
    })
  })

  it.each(inTurn([...lists, ...statistics], seed, 8).map((endpoint, index) => [endpoint, askedOf(index)] as const))(
    'are both read by every statement: %s, %j',
    async (endpoint, asked) => {
      const question = { report: reportOf({ endpoint }), websiteId: WEBSITE, eventId: id(0), query: needed(endpoint) }
      const times = { sharded: 4, doubled: 2 }
      for (const { body } of Object.values(planOf(question))) {
        const [single, ...distributed] = await Promise.all(
          (['single', ...asked] as const).map(async (database) => (await reads(database, body)).length),
        )
        expect(single).toBeGreaterThan(0)
        expect(distributed).toEqual(asked.map((database) => times[database] * single!))
      }
    },
  )
})

const hasRange = (endpoint: string): boolean => !reportOf({ endpoint: endpoint as Report }).query.ignored.has('startAt')

const needed = (endpoint: string): Question['query'] => {
  if (!hasRange(endpoint)) return []
  if (endpoint === 'metrics' || endpoint === 'metrics/expanded' || endpoint === 'values')
    return [...day, ['type', 'path']]
  if (/^event-data-pivot\//.test(endpoint)) return [...day, ['eventName', 'shared'], ['propertyName', 'plan']]
  if (endpoint === 'event-data/values') return [...day, ['propertyName', 'plan'], ['browser', 'neq.chrome']]
  if (endpoint === 'event-data-pivot') return [...day, ['eventName', 'shared'], ['browser', 'neq.chrome']]
  return [...day, ['browser', 'neq.chrome']]
}

/** The tables that a statement reads, listed once per read. A view on a shard reads the tables of both shards. */
async function reads(database: Database, body: Fragment): Promise<string[]> {
  const { query, query_params } = compile(body)
  const plan = await cluster.ask(database, `EXPLAIN ${query}`, query_params)
  return plan.flatMap((line) => /ReadFromMergeTree \((.*)\)/.exec(line)?.[1] ?? [])
}

/** Example reports with one statement each that would be wrong on shards. */
const unsafe = (statement: (selected: Fragment) => ReturnType<ReturnType<typeof select<unknown>>>): AnyReport =>
  report({
    ...{ name: 'unsafe', path: '/api/websites/:websiteId/unsafe' },
    ...{ summary: 'A statement that returns a wrong answer on two shards.', sections: ['events'] },
    example: { query: {}, events: [] },
    query: query(range),
    answer: z.unknown,
    plan: ({ period, websiteId }) => ({
      list: statement(sql`website_id = ${uuid(websiteId)}
        and created_at >= ${instant(period.startAt)} and created_at <= ${instant(period.endAt)}`),
    }),
    shape: ({ list }) => ({ body: list.rows }),
  })

const unsafeReports = {
  distinctPerShard: unsafe(
    (selected) => select(z.unknown)`
      select sum(names) as distinct_names
      from (select uniqExact(event_name) as names from custom_events where ${selected} group by shardNum())`,
  ),
  countedOnEachShard: unsafe(
    (selected) => select(z.unknown)`
      select count() as sole
      from custom_events
      where ${selected} and event_name in (
        select event_name from custom_events where ${selected} group by event_name having count() <= 8
      )
      settings distributed_product_mode = 'local'`,
  ),
  inWithoutGlobal: unsafe(
    (selected) => select(z.unknown)`
      select count() as sole
      from custom_events
      where ${selected} and event_name in (select event_name from events where ${selected})`,
  ),
}

describe('an unsafe statement is detected', () => {
  const asked = (report: AnyReport): Question => ({ report, websiteId: WEBSITE, query: day })

  it.each(['distinctPerShard', 'countedOnEachShard'] as const)('by a different answer: %s', async (name) => {
    const question = asked(unsafeReports[name])
    await expect(agrees(question, name)).rejects.toThrow(/to deeply equal/)
  })

  it('by ClickHouse’s refusal of IN without GLOBAL', async () => {
    const question = asked(unsafeReports.inWithoutGlobal)
    expect(await answer('single', question)).toEqual({ body: [{ sole: 17 }] })
    const cause = { type: 'DISTRIBUTED_IN_JOIN_SUBQUERY_DENIED' }
    await expect(agrees(question, 'IN')).rejects.toMatchObject({ cause })
  })
})

// Last, because these events are only on the shards.
describe('Weir’s own collection, into a front with two shards', () => {
  it('stores each event once, although the front refuses heartbeats, and logs that refusal once', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
    const weir = await world('faulty.ts', { COLLECT_WINDOW: 20 }, cluster.server('sharded'))
    try {
      const [website] = (await weir.websites(1)) as [string]
      const flushes = Array.from({ length: 3 }, () => [sent(website), sent(website, { data: { plan: 'pro' } })])
      for (const events of flushes) {
        await sendUntilTaken(weir, website, events)
        await emptied(weir, website)
      }
      expect(await notOnce(weir, flushes.flat())).toEqual([])
      expect((await faults(weir, website)).state).toMatchObject({ failedFlushes: 0, flushes: 3 })
      const refusals = logged.mock.calls.filter(([line]) => String(line).includes('"failing":"heartbeat"'))
      expect(refusals.map(([line]) => JSON.parse(String(line)).cause)).toEqual([
        expect.stringContaining('sharding key'),
      ])
    } finally {
      await weir.close()
      logged.mockRestore()
    }
  })
})
