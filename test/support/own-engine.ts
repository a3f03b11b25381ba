import type { ClickHouse } from '../../src/local/commands/io.ts'
import { places } from '../../src/local/paths.ts'
import { startClickHouse } from '../../src/local/storage/clickhouse.ts'
import { isLong } from './long.ts'
import { planPlainly } from './plain-engine.ts'

/** An engine of a test's own on this data folder. */
export function startOwn(dataDir: string): Promise<ClickHouse> {
  if (!isLong) planPlainly(places(dataDir).clickhouse)
  return startClickHouse(dataDir, 0)
}
