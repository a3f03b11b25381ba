import type { FactsByName } from './facts.ts'

export const serverFacts: FactsByName = {
  health: { may: 'anyone', isOurOwn: true },
  ready: { may: 'anyone', isOurOwn: true },
  heartbeat: { may: 'anyone', isOurOwn: true },
  getConfig: { may: 'anyone', isOurOwn: true },
  getAuditLog: { may: 'admin', isOurOwn: true },
  putImport: { may: 'admin', isOurOwn: true },
  getImports: { may: 'admin', isOurOwn: true },
  read: { may: 'anyone', isOurOwn: true },
}
