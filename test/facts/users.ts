import type { FactsByName } from './facts.ts'

export const usersFacts: FactsByName = {
  getUsers: { may: 'admin', isOurOwn: true },
  getAdminUsers: { may: 'admin', isOurOwn: true },
  createUser: { may: 'admin' },
  getUser: { may: 'admin' },
  updateUser: { may: 'admin' },
  deleteUser: { may: 'admin' },
}
