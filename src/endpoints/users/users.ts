import * as z from 'zod'
import { hashPassword } from '../../access/password.ts'
import { personOf } from '../../access/rights.ts'
import { ApiError } from '../../errors.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { User } from '../../metadata/person.ts'
import type { ListedUser, ManagedUser, TakenField } from '../../metadata/users.ts'
import { query } from '../../request/query-string.ts'
import { Done, done, timeOf } from '../answers.ts'
import { nameSchema } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id } from '../ids.ts'
import { answerList, listGroup, listSchema } from '../lists.ts'

export const roles = ['admin', 'user', 'view-only'] as const

/** A user in every answer except a sign-in's. */
export const UserAnswer = titled('User', () =>
  z.object({
    id: z.string(),
    username: z.string(),
    role: z.enum(roles),
    createdAt: z.string(),
  }),
)

export const userAnswer = ({ id, username, role, createdAt }: User): ValueOf<typeof UserAnswer> => ({
  id,
  username,
  role,
  createdAt: timeOf(createdAt),
})

const ListedUserAnswer = titled('ListedUser', () =>
  UserAnswer().extend({
    twoFactorRequired: z.boolean(),
    _count: z.object({ websites: z.number().int() }),
  }),
)

const username = () => nameSchema(255)

/** A password. The upper limit bounds the cost of hashing. */
export function passwordSchema(least: number): z.ZodType<string> {
  const error = `Must be a text of ${least} to 256 characters.`
  return z
    .string({ error })
    .min(least, { error })
    .max(256, { error })
    .refine((text) => text.isWellFormed(), { error: 'Must be valid Unicode text.' })
}

export const newPassword = () => passwordSchema(8)

const userRole = () => z.enum(roles, { error: `Must be one of: ${roles.join(', ')}.` })

export const NewUserBody = () =>
  z.strictObject({ id: id().optional(), username: username(), password: newPassword(), role: userRole() })

const UserChangeBody = () =>
  z.strictObject({
    username: username().optional(),
    password: newPassword().optional(),
    role: userRole().optional(),
  })

const userExists = (path: TakenField): ApiError => {
  const message = 'User already exists'
  return new ApiError('bad-request', message, { issues: [{ path, message }] })
}

/** Two admins may demote or delete each other at the same time. */
const refusedLastAdmin = () => new ApiError('conflict', 'This is the last admin. Make another user an admin first.')

const noSuchUser = (): ApiError => new ApiError('not-found', 'There is no such user.')

async function requireUser(userId: string, { metadata }: Context): Promise<ManagedUser> {
  const user = await metadata.users.read(userId)
  if (!user) throw noSuchUser()
  return user
}

export const createUser = action({
  name: 'createUser',
  method: 'post',
  path: '/api/users',
  summary: 'Creates a user.',
  access: { to: 'admin' },
  body: NewUserBody,
  answer: () => UserAnswer().omit({ createdAt: true }),
  async run({ id = crypto.randomUUID(), username, password, role }, { metadata }) {
    const taken = await metadata.users.create({ id, username, role, passwordHash: await hashPassword(password) })
    if (taken) throw userExists(taken)
    return { body: { id, username, role } }
  },
})

export const getUser = action({
  name: 'getUser',
  path: '/api/users/:userId',
  summary: 'One user.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  answer: UserAnswer,
  run: async ({ userId }, context) => ({ body: userAnswer(await requireUser(userId, context)) }),
})

export const updateUser = action({
  name: 'updateUser',
  method: 'post',
  path: '/api/users/:userId',
  summary: 'Changes a user. A new password revokes all of the user’s sign-ins.',
  access: { to: 'admin' },
  refuses: ['not-found', 'conflict'],
  body: UserChangeBody,
  record: {
    answer: ListedUserAnswer,
    async read({ userId }, context) {
      const user = await requireUser(userId, context)
      return { ...userAnswer(user), twoFactorRequired: user.twoFactorRequired === 1 }
    },
  },
  answer: UserAnswer,
  async run({ userId, username, password, role }, context) {
    const user = await requireUser(userId, context)
    if (userId === personOf(context.holder)?.id && role !== undefined && role !== 'admin') {
      // Admins cannot remove their own role, so at least one admin can always sign in.
      throw new ApiError('bad-request', 'You cannot remove your own admin role.')
    }
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    const refused = await context.metadata.users.update(userId, { username, passwordHash, role })
    if (refused === 'last-admin') throw refusedLastAdmin()
    if (refused) throw userExists(refused)
    return { body: userAnswer({ ...user, username: username ?? user.username, role: role ?? user.role }) }
  },
})

export const deleteUser = action({
  name: 'deleteUser',
  method: 'delete',
  path: '/api/users/:userId',
  summary: 'Deletes a user, their websites, and teams without another owner.',
  access: { to: 'admin' },
  refuses: ['not-found', 'conflict'],
  answer: Done,
  async run({ userId }, context) {
    if (userId === personOf(context.holder)?.id) throw new ApiError('bad-request', 'You cannot delete yourself.')
    const { id } = await requireUser(userId, context)
    if (!(await context.metadata.users.delete(id))) throw refusedLastAdmin()
    return done
  },
})

const listedUserAnswer = (user: ListedUser): ValueOf<typeof ListedUserAnswer> => ({
  ...userAnswer(user),
  twoFactorRequired: user.twoFactorRequired === 1,
  _count: { websites: user.websites },
})

/** One list under two operation names and paths. */
const userListAction = <const Name extends string, const Path extends string>(name: Name, path: Path) =>
  action({
    name,
    path,
    summary: 'Users, paged.',
    access: { to: 'admin' },
    query: query(listGroup('Part of the username, ignoring case.', ['username', 'role', 'createdAt'])),
    answer: listSchema(ListedUserAnswer),
    run: ({ list }, { metadata }) => answerList(list, (part) => metadata.users.list(part), listedUserAnswer),
  })

export const getUsers = userListAction('getUsers', '/api/users')

export const getAdminUsers = userListAction('getAdminUsers', '/api/admin/users')
