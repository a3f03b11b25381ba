import { mkdirSync, writeFileSync } from 'node:fs'
import { settingsFor } from '../../src/clickhouse/query.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import type { Statement } from '../../src/query/language/sql.ts'
import type { Report } from '../oracle/model.ts'
import { inputOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { to } from './data.ts'
import { clientOf, dataSet } from './datasets.ts'
import { flags } from './flags.ts'
import { median, timed } from './measure.ts'
import { askedBy, plannedBy } from './naive/beside.ts'
import { day } from './requests.ts'

/**
 * Measures from how many sealed views on chains are cheaper: `leastViews` of src/query/chains/known.ts. Each question
 * over 12 months is asked of websites of several sizes, by chains and without them. It writes `chains.json` into the
 * data folder: milliseconds by question, range, filter and number of views.
 *
 *     npx tsx test/bench/chains.ts --events 5000000 --data-dir DIRECTORY
 */
const [hour, year, websites] = [3_600_000, 365 * day, 5]
const lastDay = Math.floor(to / day) * day
const ends = { 'with ends': Math.floor(to / hour) * hour, sealed: lastDay }
const filters = { none: {}, client: { browser: 'chrome', country: 'DE' }, path: { path: '/pricing' } }
const metrics = ['path', 'title', 'referrer', 'entry', 'exit', 'channel', 'browser', 'country', 'city']

const questions = [
  ...['stats', 'sessions/stats', 'sessions/weekly', 'sessions'].map((endpoint) => ({ endpoint, own: {} })),
  { endpoint: 'pageviews', own: { unit: 'month' } },
  ...metrics.map((type) => ({ endpoint: 'metrics', own: { type } })),
]

/** Milliseconds without chains, and by them. */
interface Compared {
  readonly question: string
  readonly range: string
  readonly filter: string
  readonly views: number
  readonly without: number
  readonly chains: number
}

async function compared(): Promise<Compared[]> {
  const given = flags()
  mkdirSync(given.dataDir, { recursive: true })
  const { server, close } = await startClickHouse(given.dataDir, 0)
  const data = await dataSet(server, { events: given.events, suffix: '', dataDir: given.dataDir }, () => {})
  const [client, settings] = [clientOf(data.server), settingsFor({ timeout: 600 })]
  const answer = await client.query({
    query: `select toString(website_id) as id, toUInt32(sum(arraySum(views))) as views from seals
      group by id order by views desc limit ${websites}`,
    format: 'JSONEachRow',
  })
  const sizes = await answer.json<{ id: string; views: number }>()
  const found: Compared[] = []
  for (const { id, views } of sizes)
    for (const { endpoint, own } of questions)
      for (const [range, last] of Object.entries(ends))
        for (const [filter, filtered] of Object.entries(filters)) {
          const report = reportOf({ endpoint: endpoint as Report })
          const took = async (round: number, chainsFrom: number): Promise<number> => {
            const end = last - round * (range === 'sealed' ? day : hour)
            const asked = { startAt: String(end - year), endAt: String(end - 1), ...own, ...filtered }
            const input = inputOf({ report, websiteId: id, query: Object.entries(asked) }) as never
            const scope = { ...wholeWebsite(id), closedBefore: lastDay, chainsFrom }
            const plan = await plannedBy(client, id, (known) =>
              report.plan(input, { ...scope, ...(known && { known }) }),
            )
            const statements = Object.values(plan) as Statement<unknown>[]
            return timed(() => Promise.all(statements.map((one) => askedBy(client, one, settings))))
          }
          const times = { without: [] as number[], chains: [] as number[] }
          for (let round = 0; round <= given.runs; round++) {
            const [without, chains] = [await took(round, Number.MAX_SAFE_INTEGER), await took(round, 1)]
            if (round > 0) times.without.push(without)
            if (round > 0) times.chains.push(chains)
          }
          const question = Object.values(own).length > 0 ? `${endpoint} ${Object.values(own)}` : endpoint
          const both = { without: median(times.without), chains: median(times.chains) }
          found.push({ question, range, filter, views, ...both })
          console.log(
            `${question}, ${range}, ${filter}, ${views} views: ${both.without.toFixed(1)} and ${both.chains.toFixed(1)} ms`,
          )
        }
  writeFileSync(`${given.dataDir}/chains.json`, JSON.stringify(found, null, 2))
  await data.close()
  await close()
  return found
}

await compared()
