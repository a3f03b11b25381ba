import type { Endpoint } from '../endpoint.ts'
import * as own from './own.ts'
import * as required from './required.ts'

export const twoFactorEndpoints: readonly Endpoint[] = [
  own.getTwoFactorStatus,
  own.initiateTwoFactorSetup,
  own.confirmTwoFactorSetup,
  own.cancelTwoFactorSetup,
  own.disableTwoFactor,
  own.verifyTwoFactor,
  required.requireTwoFactor,
  required.requireTeamTwoFactor,
  required.getUserTwoFactor,
  required.requireUserTwoFactor,
  required.resetUserTwoFactor,
]
