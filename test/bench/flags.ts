import { parseArgs } from 'node:util'
import { defaultDataDir, fromHere } from '../../src/local/paths.ts'
import { comparedEndpoints, groupNames } from './compare/cells.ts'
import { eachReportNames } from './each-report.ts'
import { mostOfNaive } from './layout.ts'

const help = `npm run bench -- [flags]

  --events N      events of the data (5000000); the largest of its 50 websites has 40 %. Above ${mostOfNaive} there
                  is no naive layout, so only planning and the parts below it
  --data-dir DIR  where the data is kept, made once (.weir/bench). A run that was ended goes on where it stopped
  --only LIST     parts, and texts that names of endpoints contain, with commas between; no part means statistics
  --markdown      prints the tables of docs/benchmarks.md alone
  --json FILE     writes everything that was found there too
  --runs N        measured runs of chains.ts (7)
  --minutes N     minutes of mixed (10)
  --seconds N     seconds of each rate of collect, server and floods (60)
  --collect LIST  what collect measures: rates such as 750 or 80x100 (requests, events of each), hot

Parts that compare Weir's storage with the naive layout (test/bench/compare), by ClickHouse's processor time:
  lists           events and their properties
  statistics      views, visits and events
  sessions        sessions and session data
  reports         reports and revenue
Other parts:
  growth          lists and statistics in Weir's storage, beside a tenth of the events
  planning        the most asked questions over short ranges, beside select 1
  each-report     every report over 24 hours, 30 days and 12 months: time, rows, bytes, memory; the
                  dashboard's questions also with a filter on browser and country
  tables          what each of Weir's tables costs per event
  collect         events that come in at steady rates, beside an object that only writes them down
  mixed           16 readers of dashboards, alone and beside 500 events a second for 300 websites
  floods          somebody who waits, beside a flood of the worst patterns and of recordings
  server          weir serve at several rates, with a reader beside: what one server holds
  import          the command import umami, beside one writer of the same rows
  shards          12 months on a front of two shards, beside one server with the same rows

Beside these: npx tsx test/bench/chains.ts, left-behind.ts, and scale.ts for files of --json --only each-report.`

const others = ['each-report', 'tables', 'collect', 'mixed', 'floods', 'server', 'import', 'shards'] as const
const parts = [...groupNames, 'growth', 'planning', ...others] as const

export type Part = (typeof parts)[number]

export interface Flags {
  readonly events: number
  readonly dataDir: string
  readonly runs: number
  readonly minutes: number
  readonly seconds: number
  /** Whether `collect` measures this. By default, it measures everything. */
  readonly collects: (what: string) => boolean
  readonly isPage: boolean
  readonly json: string | undefined
  readonly parts: readonly Part[]
  readonly wantsEndpoint: (endpoint: string) => boolean
}

export function flags(): Flags {
  const text = (value: string) => ({ type: 'string', default: value }) as const
  const { values } = parseArgs({
    options: {
      ...{ events: text('5000000'), 'data-dir': text(`${defaultDataDir}/bench`), only: text(''), collect: text('') },
      ...{ runs: text('7'), minutes: text('10'), seconds: text('60'), json: { type: 'string' } },
      ...{ markdown: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    },
  })
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  const collected = words(values.collect)
  const events = wholeNumber('--events', values.events)
  return {
    events,
    collects: (what) => collected.length === 0 || collected.includes(what),
    dataDir: fromHere(values['data-dir'], process.env),
    runs: wholeNumber('--runs', values.runs),
    minutes: wholeNumber('--minutes', values.minutes),
    seconds: wholeNumber('--seconds', values.seconds),
    isPage: values.markdown,
    json: values.json && fromHere(values.json, process.env),
    ...chosen(words(values.only), events),
  }
}

const words = (list: string): string[] => list.split(',').filter((word) => word !== '')

const isPart = (word: string): word is Part => (parts as readonly string[]).includes(word)

/** Each word is the name of a part, or a piece of an endpoint's name. */
function chosen(words: readonly string[], events: number): Pick<Flags, 'parts' | 'wantsEndpoint'> {
  const named = words.filter((word) => !isPart(word))
  const strange = named.find((word) => ![...comparedEndpoints, ...eachReportNames].some((one) => one.includes(word)))
  if (strange !== undefined) throw new Error(`--only takes ${parts.join(', ')}, or part of an endpoint's name.`)
  const wanted = words.some(isPart) ? words.filter(isPart) : (['statistics'] as const)
  const lacking = wanted.find((part) => events > mostOfNaive && [...groupNames, 'growth'].includes(part))
  if (lacking) throw new Error(`The part ${lacking} needs the naive layout, which has at most ${mostOfNaive} events.`)
  return {
    parts: parts.filter((part) => (wanted as readonly Part[]).includes(part)),
    wantsEndpoint: (endpoint) => named.length === 0 || named.some((word) => endpoint.includes(word)),
  }
}

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new Error(`${flag} must be a whole number from 1, not ${text}.`)
}
