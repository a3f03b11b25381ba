import type { Server } from '../../src/clickhouse/server.ts'
import { bundled, usualCache } from '../../src/local/start/workerd.ts'

/** Miniflare's options for the Worker bundled into the data folder, with the cache lifetimes of a deployment. */
export const shipped = (dataDir: string, server: Server) => bundled(dataDir, 0, server, undefined, usualCache)
