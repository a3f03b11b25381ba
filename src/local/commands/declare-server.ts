import type { Command } from 'commander'
import type { Add } from './declare-import.ts'
import { oneValue, required } from './program.ts'

/** Declares the commands for one small server. See docs/one-server.md. */
export function declareServer(program: Command, add: Add): void {
  add(
    program
      .command('serve')
      .description('starts Weir for production, behind a proxy with TLS, until it is stopped: docs/one-server.md')
      .option('--host <ADDRESS>', 'the address that it listens on; 0.0.0.0: all of this machine', oneValue, '127.0.0.1')
      .option('--port <N>', 'its port; 0: any free one', oneValue, '8787')
      .option('--clickhouse-port <N>', 'port of the embedded ClickHouse, on 127.0.0.1', oneValue, '8123')
      .option('--log-requests', 'prints a line of JSON for each request'),
    async () => (await import('./serve.ts')).serve,
  )
  add(
    program
      .command('backup')
      .description('writes everything into a new folder below --to, and prints its path. Weir may be running')
      .addOption(required('--to <DIR>', 'the folder for backups', oneValue))
      .option('--keep <N>', 'then deletes all backups there but the newest N', oneValue),
    async () => (await import('./backup-commands.ts')).backup,
  )
  add(
    program
      .command('restore')
      .description('fills a new data folder with a backup. It can be stopped and repeated at any point')
      .addOption(required('--from <DIR>', 'the folder that backup printed', oneValue)),
    async () => (await import('./backup-commands.ts')).restore,
  )
  add(
    program
      .command('upgrade')
      .description(
        'copies everything from the data folder of another version into a new one. It can be stopped and repeated',
      )
      .addOption(required('--from <DIR>', 'the data folder of the other version', oneValue)),
    async () => (await import('./backup-commands.ts')).upgrade,
  )
}
