import type { ClickHouseClient } from '@clickhouse/client-web'
import type { WriteServer } from '../../collect/insert.ts'
import { selected } from '../storage/selected.ts'
import { weirCommand } from '../told/weir-command.ts'

/** The target of an import. `client` reads, and rows are inserted into `server`. */
export interface Target {
  readonly client: ClickHouseClient
  readonly server: WriteServer
}

/** Identifies Weir's tables. Other tables have a different identity, even in a database with the same name. */
export async function targetIdentity(client: ClickHouseClient): Promise<string> {
  const [found] = await selected<{ database: string; uuid: string }>(
    client,
    "SELECT database, toString(uuid) AS uuid FROM system.tables WHERE database = currentDatabase() AND name = 'events'",
  )
  if (!found) throw new Error(`ClickHouse has no Weir tables here. Create them: ${weirCommand} migrate`)
  return `${found.database} ${found.uuid}`
}
