import type { Command } from 'commander'
import { namingVersion } from '../machine/version-file.ts'
import { defaultDataDir, fromHere } from '../paths.ts'
import { weirCommand } from '../told/weir-command.ts'
import { declareDeploy } from './declare-deploy.ts'
import { type Add, declareCompare, declareExport, declareImport } from './declare-import.ts'
import { declareKeys, declarePerson, declareUsers, idFlag } from './declare-people.ts'
import { declareServer } from './declare-server.ts'
import type { Given, Io, Work } from './io.ts'
import { openedOf } from './opened.ts'
import {
  exitCodeOf,
  newProgram,
  ofRemoteD1,
  oneValue,
  pathOf,
  refuseMissing,
  refuseTaken,
  required,
  severalValues,
  withUsage,
} from './program.ts'

const afterHelp = `
${weirCommand} COMMAND --help explains a command.

Commands use the ClickHouse of CLICKHOUSE_URL if it is set, otherwise the embedded engine (the running one, if any).
The exit code is 0 when all went well, 1 when the command failed or found something wrong, 2 for a wrong command line.`

/** The help text of a flag `--sql`, with its purpose and how to run the printed statements. */
const sqlFlag = (line: string) =>
  `prints the statements for a remote D1 instead: npx wrangler d1 execute weir --remote ` +
  `--command "$(npm run -s weir -- ${line} --sql)"`

const clusterFlag = 'on all servers of this cluster, which the server of CLICKHOUSE_URL belongs to: docs/clusters.md'
const websiteFlag = 'the id of the website'
const websitesFlag = 'the id of a website; may be repeated'

/**
 * Declares the commands. `add` receives each command with a function that loads its code, so that help and error
 * messages need not load it.
 */
function declare(program: Command, add: Add): void {
  declareServer(program, add)
  add(
    program
      .command('migrate')
      .description('applies new files of sql/events and sql/metadata')
      .option('--cluster <NAME>', clusterFlag, oneValue)
      .option('--print', 'with --cluster: prints the statements instead'),
    async () => (await import('./storage-commands.ts')).migrate,
  )
  add(
    program
      .command('access')
      .description('applies the users of sql/access to the server of CLICKHOUSE_URL')
      .option('--cluster <NAME>', clusterFlag, oneValue),
    async () => (await import('./storage-commands.ts')).access,
  )
  add(
    comparing(program.command('check')).description(
      'compares derived tables with the events; without a table, it also checks the D1 file. ' +
        'Exit code 1 if something is wrong. It runs while events are read and written',
    ),
    async () => (await import('./derived-commands.ts')).checkTables,
  )
  add(
    comparing(program.command('rebuild'))
      .description('repairs the differences that check finds, while events are read and written')
      .option(
        '--orphans <remove|adopt>',
        'rows of custom_events without their event: removes them, or turns them into events',
        oneValue,
      )
      .option('--accept-lost', 'events whose properties are lost: keeps them without properties')
      .option('--channels', 'instead: updates channels that come from older lists'),
    async () => (await import('./derived-commands.ts')).rebuildTables,
  )
  add(
    ofRemoteD1(
      program
        .command('purge')
        .description('deletes events hidden by resets, and deleted sessions, for good')
        .option('--deleted', 'also deletes the events of deleted websites')
        .option('--keep-months <N>', 'deletes all events older than this month and the N before it, instead', oneValue)
        .option('--website <UUID>', 'with --keep-months: only this website; may be repeated', severalValues),
      'purge',
    ),
    async () => (await import('./purge-commands.ts')).purgeEvents,
  )
  add(
    program
      .command('engine')
      .description(
        'starts ClickHouse alone, prints its URL, and runs until it is stopped: a server for CLICKHOUSE_REPLICAS',
      )
      .option('--port <N>', 'its port; 0: any free one', oneValue, '8123'),
    async () => (await import('./engine.ts')).engine,
  )
  add(
    program
      .command('heartbeat')
      .description('inserts a heartbeat every 5 seconds, until it is stopped: answers then report how fresh they are')
      .option('--source <NAME>', 'the stream of inserts that it belongs to, if there are several', oneValue)
      .option('--once', 'inserts one heartbeat and exits'),
    async () => (await import('./heartbeat.ts')).heartbeat,
  )
  add(
    program
      .command('seal')
      .description('seals past days, so that long ranges of them are answered faster: docs/chains.md')
      .option('--website <UUID>', `${websitesFlag}; by default all`, severalValues)
      .option('--every-minute', 'runs until it is stopped'),
    async () => (await import('./seal-command.ts')).sealDays,
  )
  add(
    program
      .command('cache')
      .description('drops cached answers')
      .command('purge')
      .description(
        'drops cached answers about websites within ten seconds, ' +
          'for example after late events were written into a past range',
      )
      .addOption(required('--website <UUID>', websitesFlag, severalValues))
      .option('--sql', sqlFlag('cache purge …')),
    async () => (await import('./website-commands.ts')).purgeCache,
  )
  add(
    program
      .command('send')
      .description('sends one event and prints its id')
      .addOption(required('--website <UUID>', websiteFlag, severalValues))
      .option('--name <NAME>', 'the name of a custom event; without it, the event is a page view', oneValue)
      .option('--path <PATH>', 'the path of its page, by default /', oneValue)
      .option('--hostname <HOST>', 'the host of its page', oneValue),
    async () => (await import('./website-commands.ts')).send,
  )
  add(
    program
      .command('set-aside')
      .description('prints the collected events that ClickHouse refused, with its reasons, as JSON: docs/collection.md')
      .option('--delete', 'then deletes them'),
    async () => (await import('./set-aside.ts')).printSetAside,
  )
  add(
    program
      .command('damaged-log')
      .description('prints the collected rows that can be read from a damaged log, as JSON: docs/operations.md')
      .argument('<FILE>', 'the file that npm start or check has reported'),
    async () => (await import('./damaged-log.ts')).printDamagedLog,
  )
  add(
    ofRemoteD1(
      program
        .command('dashboard')
        .description("prepares the database of Umami's dashboard: docs/dashboard.md")
        .command('rows')
        .description(
          "prints SQL for Umami's PostgreSQL: a row for each website, link and pixel, without which their pages stay empty",
        ),
      'dashboard rows',
    ),
    async () => (await import('./dashboard-rows.ts')).printDashboardRows,
  )
  declareDeploy(program, add)
  declareCompare(program.command('compare').description('compares Weir with another system'), add)
  declareExport(program.command('export').description('exports events for another system'), add)
  declareImport(program.command('import').description('imports data from another system'), add)
  declareWebsites(program.command('website').description('manages websites'), add)
  declarePerson(program.command('person').description("exports or deletes one person's data"), add)
  declareKeys(program.command('key').description('manages API keys'), add)
  declareUsers(program.command('user').description('manages users'), add)
}

const comparing = (command: Command): Command =>
  command
    .argument('[table...]', 'derived tables, by default all')
    .option('--website <UUID>', `${websitesFlag}; by default all`, severalValues)
    .option('--month <YYYY-MM>', 'only this month', oneValue)

function declareWebsites(website: Command, add: Add): void {
  add(
    website
      .command('create')
      .description('creates a website and prints its id')
      .addOption(required('--name <NAME>', 'its name', oneValue))
      .addOption(
        required('--domain <DOMAIN>', 'its host, such as www.example.com; a URL is reduced to its host', oneValue),
      )
      .option('--owner <NAME>', 'the user that it belongs to; by default the first admin', oneValue)
      .option('--id <UUID>', idFlag, oneValue),
    async () => (await import('./website-commands.ts')).createWebsite,
  )
  add(
    website.command('list').description('lists websites: id, name, domain'),
    async () => (await import('./website-commands.ts')).listWebsites,
  )
  add(
    website
      .command('delete')
      .description(
        'deletes a website; requests for it fail from then on. Its events stay stored until: purge --deleted',
      )
      .argument('<ID>', 'its id, from: website list')
      .option('--yes', 'does not ask'),
    async () => (await import('./website-commands.ts')).deleteWebsite,
  )
}

/**
 * Only commands that create something create the data folder. For all other commands, a missing folder is assumed to be
 * a mistyped path.
 */
const making = new Set(['migrate', 'create', 'engine', 'restore', 'upgrade'])

/** Runs the command after `npm run weir --`. Returns the exit code. */
export function weir(words: readonly string[], io: Io): Promise<number> {
  return exitCodeOf(async () => {
    let code = 0
    const program = newProgram(weirCommand, io)
      .option('--data-dir <DIR>', 'the data folder, by default .weir of this repository', oneValue)
      .addHelpText('after', afterHelp)
    declare(program, <Flags>(command: Command, load: () => Promise<Work<Flags>>) => {
      command.action(async () => {
        refuseMissing(command)
        const { dataDir } = program.opts<{ dataDir?: string }>()
        const folder = dataDir === undefined ? defaultDataDir : fromHere(dataDir, io.env)
        const flags: Flags & object = command.opts()
        const typed = { words: pathOf(command).join(' '), flags: Object.keys(flags) }
        const opened = openedOf(folder, making.has(command.name()), typed, io)
        const given: Given<Flags> = { flags, words: command.args, io, ...opened }
        const work = await load()
        code = (await Promise.resolve(work(given)).catch(namingVersion(folder))) ?? 0
      })
    })
    refuseTaken(program, words, io.env)
    await withUsage(program).parseAsync(words, { from: 'user' })
    return code
  }, io)
}
