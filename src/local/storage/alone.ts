import type { ClickHouseClient } from '@clickhouse/client-web'
import { mayRun, ownName } from '../machine/process-name.ts'
import { lookTable } from './check.ts'
import { runningTable, stagingTable } from './clickhouse.ts'
import { refuseClusterFront } from './derived.ts'
import { texts } from './selected.ts'

/**
 * Runs `work` while no other check, rebuild or purge runs. Otherwise, two commands could repair the same difference
 * twice.
 */
export async function alone<Result>(
  client: ClickHouseClient,
  name: 'check' | 'rebuild' | 'purge',
  work: () => Promise<Result>,
): Promise<Result> {
  await refuseClusterFront(client, name)
  own++
  try {
    await begin(client)
    try {
      return await work()
    } finally {
      const all = [lookTable, stagingTable, runningTable]
      for (const table of all) await client.command({ query: `DROP TABLE IF EXISTS ${table}` })
    }
  } finally {
    own--
  }
}

/** How many calls of `alone` run in this process, on any database. */
let own = 0

async function begin(client: ClickHouseClient): Promise<void> {
  try {
    await client.command({
      query: `CREATE TABLE ${runningTable} (nothing UInt8) ENGINE = Memory COMMENT '${ownName()}'`,
    })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes(runningTable)) throw error
    const statement = `DROP TABLE ${runningTable}`
    if (await wasKilled(client)) {
      await client.command({ query: statement })
      return begin(client)
    }
    throw new Error(
      `Another check, rebuild or purge is running on this database. If one was interrupted, run on ClickHouse: ${statement}`,
      { cause: error },
    )
  }
}

/**
 * Whether the process that created the table died without dropping it, or could not drop it and is this one. Processes
 * on other machines are not visible.
 */
async function wasKilled(client: ClickHouseClient): Promise<boolean> {
  const query = 'SELECT comment AS text FROM system.tables WHERE database = currentDatabase() AND name = {name:String}'
  const [maker = ''] = await texts(client, query, runningTable)
  return maker !== '' && (!mayRun(maker) || (maker === ownName() && own === 1))
}
