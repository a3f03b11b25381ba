import type { Command } from 'commander'
import type { Work } from './io.ts'
import { ofRemoteD1, oneValue, required, severalValues } from './program.ts'

/** Declares a command. `load` loads its code. */
export type Add = <Flags>(command: Command, load: () => Promise<Work<Flags>>) => void

/** Declares the subcommands of `import`. */
export function declareImport(command: Command, add: Add): void {
  add(
    command
      .command('umami')
      .description(
        'imports people, websites, events and recordings from Umami. It can be stopped and repeated at any point: docs/from-umami.md',
      )
      .addOption(
        required(
          '--from <URL>',
          'postgres://… of its database, http://… of its ClickHouse, or the ZIP of its hosted service',
          oneValue,
        ),
      )
      .option('--metadata <URL>', 'for a ClickHouse: postgres://… of the same Umami, which has the websites', oneValue)
      .option(
        '--website <UUID>',
        'the id of a website; may be repeated; by default all that are not deleted',
        severalValues,
      )
      .option('--since <DATE>', 'only from this day on, in UTC (2025-01-31), or from this moment', oneValue)
      .option('--until <DATE>', 'only before this day or moment', oneValue)
      .option('--dry-run', 'prints the row counts and the expected duration')
      .option('--follow', 'then imports new rows every minute, until it is stopped')
      .option('--events', 'only events and recordings, without people, websites and the like')
      .option(
        '--sql-to <DIR>',
        'writes people, websites and the like into files of a new folder, for a remote D1, instead of the data folder: ' +
          'npx wrangler d1 execute weir --remote --file FILE for each',
        oneValue,
      )
      .option('--state <FILE>', 'the file that records the progress, by default in the data folder', oneValue)
      .option(
        '--rows <N>',
        'the maximum number of rows to read and insert at once: fewer mean less load at a time',
        oneValue,
      )
      .option(
        '--api <URL>',
        'where Weir runs: its page /websites then shows the progress. Needs the key of an admin in WEIR_KEY',
        oneValue,
      ),
    async () => (await import('./import-command.ts')).importUmami,
  )
}

/** Declares the subcommands of `export`. */
export function declareExport(command: Command, add: Add): void {
  add(
    ofRemoteD1(
      command
        .command('umami')
        .description(
          "writes the events as CSV for Umami's PostgreSQL, and a script that loads them: docs/from-umami.md#back",
        )
        .option('--to <DIR>', 'the folder for the files, created if it is missing', oneValue)
        .option(
          '--website <UUID>',
          'the id of a website, link or pixel; may be repeated; by default all',
          severalValues,
        )
        .option('--since <DATE>', 'only from this day on, in UTC (2025-01-31), or from this moment', oneValue)
        .option('--until <DATE>', 'only before this day or moment', oneValue),
      'export umami',
    ),
    async () => (await import('./export-command.ts')).exportUmami,
  )
}

/** Declares the subcommands of `compare`. */
export function declareCompare(command: Command, add: Add): void {
  add(
    command
      .command('umami')
      .description(
        'asks an Umami and Weir the same questions, by month, and prints what is equal, what a habit of Umami explains, ' +
          'and what differs. Exit code 1 if something does: docs/from-umami.md',
      )
      .addOption(required('--url <URL>', 'where Umami runs, such as https://umami.example.com', oneValue))
      .option('--username <NAME>', 'signs in to Umami; UMAMI_PASSWORD in the environment has the password', oneValue)
      .option('--website <UUID>', 'the id of a website; may be repeated; by default all of Weir', severalValues)
      .option('--since <DATE>', 'from this day on, in UTC, or from this moment; by default a year before', oneValue)
      .option('--until <DATE>', 'before this day or moment; by default today', oneValue)
      .option('--zone <ZONE>', 'the time zone of months and days; may be repeated; by default UTC', severalValues),
    async () => (await import('./compare-command.ts')).compareUmami,
  )
}
