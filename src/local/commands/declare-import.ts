import type { Command } from 'commander'
import type { Work } from './io.ts'
import { oneValue, required, severalValues } from './program.ts'

/** Declares a command: `load` loads its code. */
export type Add = <Flags>(command: Command, load: () => Promise<Work<Flags>>) => void

/** Declares the commands of `import`. */
export function declareImport(command: Command, add: Add): void {
  add(
    command
      .command('umami')
      .description(
        'imports events and recordings of an Umami. It may be stopped anywhere, and repeated: docs/from-umami.md',
      )
      .addOption(
        required(
          '--from <URL>',
          'postgres://… of its database, http://… of its ClickHouse, or the ZIP of its hosted service',
          oneValue,
        ),
      )
      .option('--metadata <URL>', 'postgres://… beside a ClickHouse: it knows the websites', oneValue)
      .option(
        '--website <UUID>',
        'the id of a website; may be repeated; by default all that are not deleted',
        severalValues,
      )
      .option('--since <DATE>', 'only from this day on, in UTC (2025-01-31), or from this moment', oneValue)
      .option('--until <DATE>', 'only before this day or moment', oneValue)
      .option('--dry-run', 'says what there is, and how long it may take')
      .option('--follow', 'then imports what arrives, every minute, until it is stopped')
      .option('--state <FILE>', 'notes there how far it is, by default in the data folder', oneValue)
      .option(
        '--rows <N>',
        'how many rows are read and inserted at once, at most: fewer are less load at a time',
        oneValue,
      ),
    async () => (await import('./import-command.ts')).importUmami,
  )
}
