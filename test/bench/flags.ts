import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultDataDir } from '../../src/local/paths.ts'
import { eachReportNames } from './each-report.ts'
import { besideParts, mostOfNaive } from './naive/layout.ts'
import { comparedEndpoints } from './reports/grid.ts'
import { rangedEndpoints } from './requests.ts'
import { statisticsEndpoints } from './statistics/grid.ts'

const help = `npm run bench -- [flags]

  --events N       events of the data (5000000); the largest of its 50 websites holds 40 %. A second data set holds a
                   tenth. Above 20000000 there is no second layout, and so none of naive, statistics, sessions, reports, growth
  --data-dir DIR   where the data is kept, made once (.weir/bench). A run that was ended goes on where it stopped
  --runs N         measured runs of each cell of the endpoints (31)
  --answers N      answers of regions (10000)
  --minutes N      minutes of soak and of mixed (10)
  --seconds N      seconds of each rate of collect (60)
  --collect LIST   what collect measures: rates such as 750 or 80x100 (requests, events of each), readers, memory, wide
  --export-rows N  rows of the export, as far as the largest website has them (5000000)
  --only LIST      parts, and texts that names of endpoints contain, with commas between; no part means endpoints
  --json FILE      writes everything that was found there too

Parts:
  endpoints        each endpoint through the Worker, and its statements sent straight to ClickHouse
  naive            Weir's storage beside the layout that most who host analytics themselves have (test/bench/naive)
  tables           what each of Weir's tables costs per event: bytes, and processor time to fill it
  statistics       the statistics of a website beside the same layout, by ClickHouse's processor time
  sessions         sessions and session data beside the same layout, by ClickHouse's processor time
  reports          reports and revenue beside the same layout, by ClickHouse's processor time
  each-report      every report over 24 hours, 30 days and 12 months in Weir's storage: time, rows, bytes, memory
  growth           both layouts at both sizes, ten times apart; the statistics in Weir's storage alone
  access           what the access check costs
  concurrent       the endpoints again, with 50 requests under way
  cache            answers from the cache beside a Hono handler that returns a constant
  export           every row through the Worker beside the same bytes from ClickHouse, and the memory meanwhile
  memory           the Worker's memory over 10,000 requests
  start-up         the processor time that a new isolate takes to start the Worker
  openings         a signed-in reader with and without 50 readers of a public website, who send the worst patterns
  regions          three engines as three regions; one is killed, one hangs, one is slow
  soak             three regions under a steady rate for minutes: memory and connections of workerd and the engines
  pages            the dashboard of the demo website in Chromium, beside the API's own answers
  recordings       a replay of three minutes, a list of 100,000 replays, and the heatmap of a million clicks
  mcp              a tool of POST /mcp beside its report, the list of tools, and a start with and without them
  collect          events that come in at steady rates, beside an object that only writes them down
  mixed            16 readers of dashboards, alone and beside 500 events a second for 300 websites`

const parts = [
  'endpoints',
  'naive',
  'tables',
  'statistics',
  'sessions',
  'reports',
  'each-report',
  'growth',
  'access',
  'concurrent',
  'cache',
  'export',
  'memory',
  'start-up',
  'openings',
  'mcp',
  'pages',
  'recordings',
  'regions',
  'soak',
  'collect',
  'mixed',
] as const

export type Part = (typeof parts)[number]

export interface Flags {
  readonly events: number
  readonly dataDir: string
  readonly runs: number
  readonly exportRows: number
  readonly answers: number
  readonly minutes: number
  readonly seconds: number
  /** Whether `collect` measures this; by default everything. */
  readonly collects: (what: string) => boolean
  readonly json: string | undefined
  readonly wants: (part: Part) => boolean
  readonly wantsEndpoint: (endpoint: string) => boolean
}

export function flags(): Flags {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '5000000' },
      'data-dir': { type: 'string', default: `${defaultDataDir}/bench` },
      runs: { type: 'string', default: '31' },
      answers: { type: 'string', default: '10000' },
      minutes: { type: 'string', default: '10' },
      seconds: { type: 'string', default: '60' },
      collect: { type: 'string', default: '' },
      'export-rows': { type: 'string', default: '5000000' },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    console.log(help)
    process.exit(0)
  }
  const collected = values.collect.split(',').filter((word) => word !== '')
  const events = wholeNumber('--events', values.events)
  const choice = chosen(
    values.only.split(',').filter((word) => word !== ''),
    partsOf(events),
  )
  return {
    collects: (what) => collected.length === 0 || collected.includes(what),
    events,
    dataDir: resolve(values['data-dir']),
    runs: wholeNumber('--runs', values.runs),
    answers: wholeNumber('--answers', values.answers),
    minutes: wholeNumber('--minutes', values.minutes),
    seconds: wholeNumber('--seconds', values.seconds),
    exportRows: wholeNumber('--export-rows', values['export-rows']),
    json: values.json,
    ...choice,
  }
}

/** The words are names of parts, or texts in names of endpoints. Without words, everything is chosen. */
function chosen(words: readonly string[], possible: readonly Part[]): Pick<Flags, 'wants' | 'wantsEndpoint'> {
  const named = words.filter((word) => !isPart(word))
  const strange = named.find((word) => !endpoints.some((endpoint) => endpoint.includes(word)))
  if (strange !== undefined) throw new Error(`--only takes ${parts.join(', ')}, or part of an endpoint's name.`)
  const wanted = words.length === 0 ? possible : words.filter(isPart)
  const lacking = wanted.find((part) => !possible.includes(part))
  if (lacking !== undefined) {
    throw new Error(`The part ${lacking} needs the naive layout, which has at most ${mostOfNaive} events.`)
  }
  return {
    wants: (part) => (wanted.length === 0 ? part === 'endpoints' : wanted.includes(part)),
    wantsEndpoint: (endpoint) => named.length === 0 || named.some((word) => endpoint.includes(word)),
  }
}

/** Large data sets lack the naive layout. */
const partsOf = (events: number): readonly Part[] =>
  events > mostOfNaive ? parts.filter((part) => !(besideParts as readonly Part[]).includes(part)) : parts

const isPart = (word: string): word is Part => (parts as readonly string[]).includes(word)

const endpoints = [
  ...rangedEndpoints,
  'event-data/:eventId',
  ...statisticsEndpoints,
  ...comparedEndpoints,
  ...eachReportNames,
]

function wholeNumber(flag: string, text: string): number {
  if (/^[1-9]\d{0,9}$/.test(text)) return Number(text)
  throw new Error(`${flag} must be a whole number from 1, not ${text}.`)
}
