import type { Command } from 'commander'
import type { Add } from './declare-import.ts'
import { oneValue } from './program.ts'

/** Declares the commands that deploy Weir to Cloudflare. */
export function declareDeploy(program: Command, add: Add): void {
  const ofDeployment = (command: Command): Command =>
    command
      .option('--settings <FILE>', 'your settings file, by default .env in this repository', oneValue)
      .option('--dry-run', 'prints the commands instead')
      .option('--json', 'asks nothing, and prints the result as a line of JSON')
  add(
    ofDeployment(program.command('deploy'))
      .description(
        'deploys Weir to Cloudflare, or updates it. It can be stopped and repeated at any point: docs/deployment.md',
      )
      .option('--yes', 'replaces an existing DNS record of the domain'),
    async () => (await import('./deploy-command.ts')).deploy,
  )
  add(
    ofDeployment(program.command('undeploy'))
      .description('deletes the Worker from Cloudflare, and lists what remains')
      .option('--yes', 'does not ask'),
    async () => (await import('./deploy-command.ts')).undeploy,
  )
}
