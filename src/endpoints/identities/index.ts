import type { Endpoint } from '../endpoint.ts'
import { createUserIdentity, deleteUserIdentity, getUserIdentities, joinMyIdentity } from './identities.ts'

export const identityEndpoints: readonly Endpoint[] = [
  joinMyIdentity,
  getUserIdentities,
  createUserIdentity,
  deleteUserIdentity,
]
