import type { FactsByName } from './facts.ts'

export const meFacts: FactsByName = {
  getMe: { may: 'holder' },
  updateMyPassword: { may: 'person' },
  getMyApiKeys: { may: 'person' },
  createMyApiKey: { may: 'person' },
  deleteMyApiKey: { may: 'deleteKey' },
}
