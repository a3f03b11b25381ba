import { texts } from '../storage/selected.ts'
import { Misuse } from '../told/misuse.ts'
import { shellWord } from '../told/shell-word.ts'
import { adminOf, withAdmin } from './clickhouse-steps.ts'
import { isNoWorker, signIn } from './cloudflare-steps.ts'
import type { Run, Step } from './step.ts'
import type { Words } from './wrangler.ts'

const remove = (name: string): Words => ['delete', name, '--force']

/** The steps that undo a deployment. They delete only the Worker. */
export const undeploySteps = (run: Run): Step[] => [
  {
    says: `Deletes the Worker ${run.name} (ClickHouse stays at ${new URL(adminOf(run.settings).url).host}), its secrets, and its logs: events that ClickHouse does not have yet are lost.`,
    commands: [run.wrangler.line(remove(run.name))],
    async work() {
      const { name, ask, isSure } = run
      const answer = isSure ? 'yes' : await ask?.(`Delete the Worker ${name}? This cannot be undone. Type yes: `)
      if (answer === undefined) throw new Misuse('There is no terminal to ask for confirmation. Add --yes.')
      if (answer.trim().toLowerCase() !== 'yes') throw new Error('Nothing was deleted.')
      await signIn(run)
      await run.wrangler.run(remove(name)).catch((error: Error) => {
        if (!isNoWorker(error)) throw error
      })
    },
  },
]

/** What remains after `undeploy`, each with the command that deletes it. */
export async function staying(run: Run): Promise<Record<string, string>> {
  const { settings, name } = run
  const { database } = adminOf(settings)
  const events = await withAdmin(run, async ({ client }) => {
    const query = `SELECT toString(sum(rows)) AS text FROM system.parts WHERE active AND database = {name:String} AND table = 'events'`
    return (await texts(client, query, database))[0] ?? '0'
  }).catch(() => 'an unknown number of')
  return {
    [`The ClickHouse database ${database}, with ${events} events`]: `DROP DATABASE ${database}`,
    'The ClickHouse users': 'DROP USER weir_reader, weir_visitor, weir_writer, weir_sealer',
    [`The D1 ${name}, with users, websites and keys`]: `npx wrangler d1 delete ${name}`,
    'The settings, with passwords': `rm ${shellWord(settings.file)}`,
  }
}
