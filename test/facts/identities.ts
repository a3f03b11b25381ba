import type { FactsByName } from './facts.ts'

export const identitiesFacts: FactsByName = {
  joinMyIdentity: { may: 'joinIssuer', isOurOwn: true },
  getUserIdentities: { may: 'admin', isOurOwn: true },
  createUserIdentity: { may: 'admin', isOurOwn: true },
  deleteUserIdentity: { may: 'deleteIdentity', isOurOwn: true },
}
