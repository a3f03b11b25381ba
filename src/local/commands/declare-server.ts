import type { Command } from 'commander'
import type { Add } from './declare-import.ts'
import { oneValue } from './program.ts'

/** Declares the commands of one small server: docs/one-server.md. */
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
}
