import { dirname, resolve } from 'node:path'
import * as z from 'zod'
import { clickHouseSteps } from '../deploy/clickhouse-steps.ts'
import { cloudflareSteps } from '../deploy/cloudflare-steps.ts'
import { finalSteps, result, told } from '../deploy/final-steps.ts'
import { complete } from '../deploy/questions.ts'
import { settingsIn } from '../deploy/settings.ts'
import type { Run, Step } from '../deploy/step.ts'
import { staying, undeploySteps } from '../deploy/undeploy.ts'
import { wranglerOf } from '../deploy/wrangler.ts'
import { fromHere, home } from '../paths.ts'
import { checked } from '../told/misuse.ts'
import type { Given } from './io.ts'

interface Flags {
  readonly settings?: string
  readonly dryRun?: true
  readonly json?: true
  readonly yes?: true
}

const workerName = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,52}[a-z0-9])?$/, {
  error: 'Must be 54 lower-case letters, digits and hyphens at most.',
})

/** The command `deploy`. It may be repeated after any failure, because each step creates only what is missing. */
export async function deploy(given: Given<Flags>): Promise<void> {
  const run = runOf(given)
  if (!given.flags.dryRun) await complete(run.settings, run)
  await through([...clickHouseSteps(run), ...cloudflareSteps(run), ...finalSteps(run)], given)
  if (given.flags.dryRun) return
  const made = result(run)
  given.io.out(given.flags.json ? JSON.stringify(made) : told(made, run.settings.file))
}

/** The command `undeploy`. It deletes the Worker, and lists the resources that remain. */
export async function undeploy(given: Given<Flags>): Promise<void> {
  const run = runOf(given)
  await through(undeploySteps(run), given)
  if (given.flags.dryRun) return
  const stays = await staying(run)
  if (given.flags.json) return given.io.out(JSON.stringify({ stays }))
  given.io.out('This remains. To delete it:')
  for (const [what, command] of Object.entries(stays)) given.io.out(`  ${what}: ${command}`)
}

function runOf({ flags, io }: Given<Flags>): Run {
  const file = flags.settings === undefined ? resolve(home, '.env') : fromHere(flags.settings, io.env)
  const settings = settingsIn(file, io.env, flags.dryRun)
  // A dry run prints a placeholder. Otherwise, a missing URL fails before anything is changed.
  if (flags.dryRun && !settings.get('CLICKHOUSE_URL'))
    settings.keep('CLICKHOUSE_URL', 'https://HOST:8443/?database=weir')
  const name = checked(workerName, settings.get('WEIR_WORKER') ?? 'weir', 'WEIR_WORKER')
  const configuration = `${dirname(file)}/dist/${name}.json`
  return {
    ...{ settings, name, configuration, say: io.err, ask: flags.json ? undefined : io.ask, isSure: flags.yes === true },
    wrangler: wranglerOf(settings, configuration, io.err),
    found: {},
  }
}

/** Files that the printed commands read, but that no command creates. */
const madeBetween = 'deploy makes the files of --config and --file, and the JSON that secret bulk reads, in between.'

/** Announces and runs each step; with `--dry-run`, prints its commands instead. */
async function through(steps: readonly Step[], { flags, io }: Given<Flags>): Promise<void> {
  if (flags.dryRun) io.out(`# ${madeBetween}`)
  for (const [index, { says, commands, work }] of steps.entries()) {
    const line = `${index + 1}/${steps.length} ${says}`
    if (!flags.dryRun) {
      io.err(line)
      await work()
      continue
    }
    io.out(`# ${line}`)
    for (const command of commands) io.out(command)
  }
}
