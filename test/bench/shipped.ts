import type { Server } from '../../src/clickhouse/server.ts'
import { bundled, usualCache } from '../../src/local/workerd.ts'

/** Miniflare's options for the Worker that was bundled into the data folder, which keeps answers as it does when deployed. */
export const shipped = (dataDir: string, server: Server) => bundled(dataDir, 0, server, undefined, usualCache)
