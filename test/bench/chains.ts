import { mkdirSync, writeFileSync } from 'node:fs'
import type { ClickHouseClient } from '@clickhouse/client-web'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import type { Statement } from '../../src/query/language/statement.ts'
import type { Report } from '../oracle/model.ts'
import { inputOf } from '../support/questions.ts'
import { reportOf } from '../support/reports.ts'
import { wholeWebsite } from '../support/scope.ts'
import { lastDay, type Range, ranges, sealed } from './compare/cells.ts'
import { dataSet } from './data-set.ts'
import { flags } from './flags.ts'
import { ask, type Clock, clockOf, median, plannedBy, together } from './measure.ts'

/**
 * Measures from how many sealed views on chains are cheaper, in order to choose `leastViews` in
 * src/query/chains/known.ts. Each question runs over 12 months on websites of several sizes, with and without chains.
 * It writes `chains.json` into the data folder: ClickHouse's processor time in milliseconds, by question, range, filter
 * and number of views.
 *
 *     npx tsx test/bench/chains.ts --events 5000000 --data-dir DIRECTORY
 */
const years = { 'with ends': ranges[2]!, sealed }
const filters = { none: {}, client: { browser: 'chrome', country: 'DE' }, path: { path: '/pricing' } }
const metrics = ['path', 'title', 'referrer', 'entry', 'exit', 'channel', 'browser', 'country', 'city']

const questions = [
  ...['stats', 'sessions/stats', 'sessions/weekly', 'sessions'].map((endpoint) => ({ endpoint, own: {} })),
  { endpoint: 'pageviews', own: { unit: 'month' } },
  ...metrics.map((type) => ({ endpoint: 'metrics', own: { type } })),
]

/** A question about one website, over one range. */
interface Asked {
  readonly websiteId: string
  readonly endpoint: string
  readonly own: Readonly<Record<string, string>>
  readonly range: Range
}

/** Processor time without and with chains. Both are medians of this many alternating runs. */
async function compared(client: ClickHouseClient, clock: Clock, asked: Asked, runs: number) {
  const times = { without: [] as number[], chains: [] as number[] }
  const ways = [['without', Number.MAX_SAFE_INTEGER] as const, ['chains', 1] as const]
  for (let round = 0; round <= runs; round++)
    for (const [way, chainsFrom] of ways) {
      const plan = await planOf(client, asked, round, chainsFrom)
      const { processor } = await clock.costOf(() => together(client, plan))
      if (round > 0) times[way].push(processor)
    }
  return { without: median(times.without), chains: median(times.chains) }
}

function planOf(client: ClickHouseClient, asked: Asked, round: number, chainsFrom: number) {
  const { websiteId, endpoint, own, range } = asked
  const report = reportOf({ endpoint: endpoint as Report })
  const end = range.end - round * range.step
  const period = { startAt: String(end - range.length), endAt: String(end - 1) }
  const input = inputOf({ report, websiteId, query: Object.entries({ ...period, ...own }) }) as never
  const scope = { ...wholeWebsite(websiteId), closedBefore: lastDay, chainsFrom }
  const planning = (known?: object) => Object.values(report.plan(input, { ...scope, ...(known && { known }) } as never))
  return plannedBy(client, websiteId, planning as () => Statement<unknown>[])
}

const given = flags()
mkdirSync(given.dataDir, { recursive: true })
const { server, close } = await startClickHouse(given.dataDir, 0)
const data = await dataSet(server, { events: given.events, suffix: '', dataDir: given.dataDir }, () => {})
const { weir } = data.layouts
const clock = await clockOf(weir)
const largest = `select toString(website_id) as id, toUInt32(sum(arraySum(views))) as views from seals
  group by id order by views desc limit 5`
const { data: sizes } = await ask(weir, { query: largest, query_params: {} })
const found: object[] = []
for (const { id: websiteId, views } of sizes as { id: string; views: number }[])
  for (const { endpoint, own } of questions)
    for (const [name, range] of Object.entries(years))
      for (const [filter, filtered] of Object.entries(filters)) {
        const question = [endpoint, ...Object.values(own)].join(' ')
        const both = await compared(
          weir,
          clock,
          { websiteId, endpoint, own: { ...own, ...filtered }, range },
          given.runs,
        )
        found.push({ question, range: name, filter, views, ...both })
        console.log(question, name, filter, views, both)
      }
writeFileSync(`${given.dataDir}/chains.json`, JSON.stringify(found, null, 2))
await data.close()
await close()
