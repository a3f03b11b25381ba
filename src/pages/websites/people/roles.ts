import type { Answer } from '@weir/client'

export type UserRole = Answer<'getUsers'>['data'][number]['role']

/** The labels of user roles. */
export const userRoles: Readonly<Record<UserRole, string>> = { admin: 'Admin', user: 'User', 'view-only': 'View only' }

/** The roles that a member can have. */
export const memberRoles = {
  'team-manager': 'Manager',
  'team-member': 'Member',
  'team-view-only': 'View only',
} as const

export type MemberRole = keyof typeof memberRoles
