import type { Endpoint } from '../endpoint.ts'
import { getAuditLog } from './audit.ts'
import { config } from './config.ts'
import { health, heartbeat, ready } from './health.ts'
import { getImports, putImport } from './imports.ts'

export const serverEndpoints: readonly Endpoint[] = [
  ...[health, ready, heartbeat, config, getAuditLog],
  ...[getImports, putImport],
]
