import type { ClickHouseClient } from '@clickhouse/client-web'
import { ask, median } from './measure.ts'

/** Measures the processor time that ClickHouse takes, in milliseconds. */
export interface ProcessorClock {
  of(work: () => Promise<unknown>): Promise<number>
}

const looks = 21

/**
 * A clock from the counters of the whole server: nothing else may run on it. A look at the counters takes time too,
 * which is subtracted.
 */
export async function processorClock(client: ClickHouseClient): Promise<ProcessorClock> {
  const differences: number[] = []
  let last = await worked(client)
  for (let count = 0; count < looks; count++) {
    const now = await worked(client)
    differences.push(now - last)
    last = now
  }
  const ofLook = median(differences)
  return {
    async of(work) {
      const before = await worked(client)
      await work()
      return Math.max(0, (await worked(client)) - before - ofLook)
    },
  }
}

const query = "select value from system.events where event = 'OSCPUVirtualTimeMicroseconds'"

/** The processor time of all statements since the server started, in milliseconds. */
async function worked(client: ClickHouseClient): Promise<number> {
  const { data } = await ask(client, { query, query_params: {} })
  const [row] = data as { value: number | string }[]
  return Number(row?.value ?? 0) / 1000
}
