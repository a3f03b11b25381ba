import type { FactsByName } from './facts.ts'

export const authFacts: FactsByName = {
  login: { may: 'anyone' },
  logout: { may: 'person' },
  verify: { may: 'person' },
  startSignOn: { may: 'anyIssuer', isOurOwn: true },
  sso: { may: 'nobody' },
  getSubscription: { may: 'person' },
}
