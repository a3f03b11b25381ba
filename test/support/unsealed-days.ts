import type { Server } from '../../src/clickhouse/server.ts'
import { serverState } from '../../src/clickhouse/server-state.ts'
import { routeTo } from './route.ts'
import { soon } from './soon.ts'

/** The number of open website-days that a server reports. A busy server may be too slow for this question. */
export const unsealedDaysOf = (server: Server): Promise<number> =>
  soon(async () => {
    const { unsealedDays } = await serverState(routeTo(server).replicas[0]!)
    if (unsealedDays === undefined) throw new Error('The server did not answer in time.')
    return unsealedDays
  })
