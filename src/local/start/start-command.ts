import { exitCodeOf, newProgram, type Output, oneValue, refuseTaken, withUsage } from '../commands/program.ts'
import { defaultDataDir, fromHere } from '../paths.ts'
import { serverOf } from '../storage/clickhouse-url.ts'
import { Misuse } from '../told/misuse.ts'
import type { Flags } from './setting.ts'

const afterHelp = `
Without CLICKHOUSE_URL, everything runs on this machine. With it (http://user:password@host:8123/?database=weir), that
server is used instead of the embedded ClickHouse. With CLICKHOUSE_REPLICAS, too (docs/replicas.md), the API reads
from those servers.`

interface Given {
  readonly port: string
  readonly clickhousePort: string
  readonly dataDir?: string
  readonly demo: boolean
  readonly demoEvents: string
  readonly json?: true
  readonly logRequests?: true
}

/**
 * Runs the command `npm start`, which starts everything. Resolves once everything runs, or, for an invalid command
 * line, to the exit code.
 */
export function start(words: readonly string[], env: NodeJS.ProcessEnv, io: Output): Promise<number> {
  return exitCodeOf(async () => {
    const program = newProgram('npm start --', io)
      .description('Starts ClickHouse and the Worker on this machine, and fills a demo website once.')
      .option('--port <N>', 'port of the API; 0: any free one', oneValue, '8787')
      .option('--clickhouse-port <N>', 'port of the embedded ClickHouse; 0: any free one', oneValue, '8123')
      .option('--data-dir <DIR>', 'where everything is stored, by default .weir in this repository', oneValue)
      .option('--no-demo', 'no demo website')
      .option('--demo-events <N>', 'events of a new demo website, from 1000 to 10000000', oneValue, '200000')
      .option('--json', 'prints one line of JSON once ready, and nothing else, on stdout')
      .option('--log-requests', 'prints a line of JSON for each request, on stderr')
      .addHelpText('after', afterHelp)
      .action(async (given: Given) => {
        const { json = false, logRequests = false, demo } = given
        const demoEvents = demo ? wholeNumber('--demo-events', given.demoEvents, 1000, 10_000_000) : 0
        const dataDir = given.dataDir === undefined ? defaultDataDir : fromHere(given.dataDir, env)
        await launchWith({ ...portsOf(given, env), dataDir, demoEvents, json, logRequests }, env, io)
      })
    refuseTaken(program, words, env)
    await withUsage(program).parseAsync(words, { from: 'user' })
    return 0
  }, io)
}

/** The ports of a command line. */
export function portsOf(given: Pick<Given, 'port' | 'clickhousePort'>, env: NodeJS.ProcessEnv) {
  const port = wholeNumber('--port', given.port, 0, 65_535)
  const clickhousePort = wholeNumber('--clickhouse-port', given.clickhousePort, 0, 65_535)
  if (port === clickhousePort && port !== 0 && !env.CLICKHOUSE_URL) {
    throw new Misuse(`--port and --clickhouse-port must differ. Both are ${port}.`)
  }
  return { port, clickhousePort }
}

/** Checks the environment variables, and then starts everything. */
export async function launchWith(flags: Flags, env: NodeJS.ProcessEnv, io: Output): Promise<void> {
  if (env.CLICKHOUSE_URL) serverOf(env)
  ;(await import('./worker-variables.ts')).workerVariables(env)
  if (env.CLICKHOUSE_REPLICAS) (await import('./replicas.ts')).refuseWrongReplicas(env)
  io.err(`Weir is starting. Its data is in ${flags.dataDir}`)
  // The modules take a second to load.
  await (await import('./launch.ts')).launch(flags)
}

function wholeNumber(flag: string, text: string, least: number, most: number): number {
  const number = /^\d{1,8}$/.test(text) ? Number(text) : Number.NaN
  if (least <= number && number <= most) return number
  throw new Misuse(`${flag} must be a whole number from ${least} to ${most}, not ${text}.`)
}
