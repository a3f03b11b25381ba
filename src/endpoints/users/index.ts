import type { Endpoint } from '../endpoint.ts'
import * as users from './users.ts'

export const userEndpoints: readonly Endpoint[] = [
  users.getUsers,
  users.getAdminUsers,
  users.createUser,
  users.getUser,
  users.updateUser,
  users.deleteUser,
]
