import { breaker } from '../../src/clickhouse/breaker.ts'
import { pace } from '../../src/clickhouse/pace.ts'
import type { ReplicaRoute } from '../../src/clickhouse/replicas.ts'
import type { Server } from '../../src/clickhouse/server.ts'

/** The route to a single server with these connection settings. */
export const routeTo = ({ timeout, mostMemory, mostRows, isOpening, ...server }: Server): ReplicaRoute => ({
  replicas: [{ name: 'only', place: {}, server, breaker: breaker() }],
  pace: pace(),
  from: {},
  // Tests keep the engine so busy that even pings wait. So this request sends no pings, like a request with many
  // statements.
  connections: { waiting: Number.POSITIVE_INFINITY },
  limits: { timeout, mostMemory, mostRows, isOpening },
  since: Number.POSITIVE_INFINITY,
  until: Number.POSITIVE_INFINITY,
  takeTurn: async () => () => {},
  time: Date.now,
  keep() {},
  nameTry: () => ({}),
  ran() {},
  answered() {},
  opened() {},
})
