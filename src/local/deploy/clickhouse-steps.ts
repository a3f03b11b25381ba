import type { Server } from '../../clickhouse/server.ts'
import { type ClickHouse, useClickHouse } from '../storage/clickhouse.ts'
import { serverOf } from '../storage/clickhouse-url.ts'
import { applyAccess } from '../storage/clickhouse-users.ts'
import { migrateEvents, outside } from '../storage/migrations.ts'
import { shellWord } from '../told/shell-word.ts'
import { weirCommand } from '../told/weir-command.ts'
import { checkClickHouse } from './check-clickhouse.ts'
import type { Settings } from './settings.ts'
import type { Run, Step } from './step.ts'

/** The connection to a deployment's ClickHouse, as its admin. */
export const adminOf = (settings: Pick<Settings, 'get'>): Server =>
  serverOf({ CLICKHOUSE_URL: settings.get('CLICKHOUSE_URL') })

/** Runs `work` with a deployment's ClickHouse, as its admin. */
export async function withAdmin<Result>(
  { settings, say }: Pick<Run, 'settings' | 'say'>,
  work: (clickhouse: ClickHouse) => Promise<Result>,
): Promise<Result> {
  const env = { CLICKHOUSE_URL: settings.get('CLICKHOUSE_URL') }
  const clickhouse = await useClickHouse('', { env, note: say })
  return work(clickhouse).finally(clickhouse.close)
}

/** The secrets and variables that the Worker needs for ClickHouse. */
export function clickHouseSecrets(settings: Pick<Settings, 'get'>): Record<string, string> {
  const { url, database } = adminOf(settings)
  return {
    CLICKHOUSE_URL: `${url}/?database=${encodeURIComponent(database)}`,
    CLICKHOUSE_USER: 'weir_reader',
    CLICKHOUSE_PASSWORD: settings.get('WEIR_READER_PASSWORD')!,
    CLICKHOUSE_VISITOR_PASSWORD: settings.get('WEIR_VISITOR_PASSWORD')!,
    CLICKHOUSE_WRITE_USER: 'weir_writer',
    CLICKHOUSE_WRITE_PASSWORD: settings.get('WEIR_WRITER_PASSWORD')!,
  }
}

/** The steps that use ClickHouse. */
export function clickHouseSteps(run: Run): Step[] {
  const { settings, say } = run
  const { url, database, username } = adminOf(settings)
  return [
    {
      says: `Asks ClickHouse at ${new URL(url).host} for its version and the rights of ${username}.`,
      // The commands below read the settings from their environment.
      commands: [`set -a; . ${shellWord(settings.file)}; set +a`],
      async work() {
        const server = adminOf(settings)
        for (const note of await outside(server, (client) => checkClickHouse(client, server))) say(note)
      },
    },
    {
      says: `Creates the database ${database} and its tables, unless they exist.`,
      commands: [`${weirCommand} migrate`],
      work: () =>
        withAdmin(run, async ({ client, server }) => {
          const applied = await migrateEvents(client, server)
          say(applied.length > 0 ? `Applied ${applied.length} files of sql/events.` : 'All tables exist.')
        }),
    },
    {
      says: 'Creates weir_reader, weir_visitor, weir_writer and weir_sealer, with the passwords in the settings.',
      commands: [`${weirCommand} access`],
      work: () =>
        withAdmin(run, async ({ client }) => {
          const names = ['READER', 'VISITOR', 'WRITER', 'SEALER'].map((user) => `WEIR_${user}_PASSWORD`)
          await applyAccess(client, Object.fromEntries(names.map((name) => [name, settings.get(name)])))
        }),
    },
  ]
}
