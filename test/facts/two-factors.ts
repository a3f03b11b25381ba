import type { FactsByName } from './facts.ts'

export const twoFactorsFacts: FactsByName = {
  getTwoFactorStatus: { may: 'person' },
  initiateTwoFactorSetup: { may: 'person' },
  confirmTwoFactorSetup: { may: 'conflict' },
  cancelTwoFactorSetup: { may: 'person' },
  disableTwoFactor: { may: 'conflict' },
  verifyTwoFactor: { may: 'nobody' },
  requireTwoFactor: { may: 'admin', isOurOwn: true },
  requireTeamTwoFactor: { may: 'admin', isOurOwn: true },
  getUserTwoFactor: { may: 'admin', isOurOwn: true },
  requireUserTwoFactor: { may: 'admin', isOurOwn: true },
  resetUserTwoFactor: { may: 'admin', isOurOwn: true },
}
