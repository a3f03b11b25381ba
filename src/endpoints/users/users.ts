import * as z from 'zod'
import { hashPassword } from '../../access/password.ts'
import { personOf } from '../../access/rights.ts'
import { ApiError } from '../../errors.ts'
import type { ListedUser, TakenField, User } from '../../metadata/users.ts'
import { query } from '../../request/query-string.ts'
import { Done, done, timeOf } from '../answers.ts'
import { nameOf } from '../bodies.ts'
import { action, type Context, id } from '../endpoint.ts'
import { listOf, lists, paged } from '../lists.ts'

const roles = ['admin', 'user', 'view-only'] as const

/** A user as everything but a sign-in shows one. */
export const UserAnswer = z.object({
  id: z.string(),
  username: z.string(),
  role: z.enum(roles),
  createdAt: z.string(),
})

export const userAnswer = ({ id, username, role, createdAt }: User): z.infer<typeof UserAnswer> => ({
  id,
  username,
  role,
  createdAt: timeOf(createdAt),
})

export const username = nameOf(255)

/** A password: not so long that to hash it would be a burden. */
export function passwordOf(least: number): z.ZodType<string> {
  const error = `Must be a text of ${least} to 256 characters.`
  return z
    .string({ error })
    .min(least, { error })
    .max(256, { error })
    .refine((text) => text.isWellFormed(), { error: 'Must be valid Unicode text.' })
}

export const newPassword = passwordOf(8)

const role = z.enum(roles, { error: `Must be one of: ${roles.join(', ')}.` })

/** What a new user is given. */
export const NewUser = z.strictObject({ id: id.optional(), username, password: newPassword, role })

const UserChange = z.strictObject({
  username: username.optional(),
  password: newPassword.optional(),
  role: role.optional(),
})

const exists = (path: TakenField): ApiError => {
  const message = 'User already exists'
  return new ApiError('bad-request', message, { issues: [{ path, message }] })
}

const missing = (): ApiError => new ApiError('not-found', 'There is no such user.')

async function userOf(userId: string, { metadata }: Context): Promise<User> {
  const user = await metadata.users.read(userId)
  if (!user) throw missing()
  return user
}

export const createUser = action({
  name: 'createUser',
  method: 'post',
  path: '/api/users',
  summary: 'Creates a user.',
  access: { to: 'admin' },
  query: query(),
  body: NewUser,
  answer: UserAnswer.omit({ createdAt: true }),
  async run({ id = crypto.randomUUID(), username, password, role }, { metadata }) {
    const taken = await metadata.users.create({ id, username, role, passwordHash: await hashPassword(password) })
    if (taken) throw exists(taken)
    return { body: { id, username, role } }
  },
})

export const getUser = action({
  name: 'getUser',
  method: 'get',
  path: '/api/users/:userId',
  summary: 'One user.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  query: query(),
  answer: UserAnswer,
  run: async ({ userId }, context) => ({ body: userAnswer(await userOf(userId, context)) }),
})

export const updateUser = action({
  name: 'updateUser',
  method: 'post',
  path: '/api/users/:userId',
  summary: 'Changes a user. Another password ends every sign-in of the user.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  query: query(),
  body: UserChange,
  answer: UserAnswer,
  async run({ userId, username, password, role }, context) {
    const user = await userOf(userId, context)
    if (userId === personOf(context.holder)?.id && role !== undefined && role !== 'admin') {
      // So that there is always an admin left who can sign in.
      throw new ApiError('bad-request', 'You cannot take the role of an admin from yourself.')
    }
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    const taken = await context.metadata.users.update(userId, { username, passwordHash, role })
    if (taken) throw exists(taken)
    return { body: userAnswer({ ...user, username: username ?? user.username, role: role ?? user.role }) }
  },
})

export const deleteUser = action({
  name: 'deleteUser',
  method: 'delete',
  path: '/api/users/:userId',
  summary: 'Deletes a user with their websites, and with the teams that have no other owner.',
  access: { to: 'admin' },
  refuses: ['not-found'],
  query: query(),
  answer: Done,
  async run({ userId }, context) {
    if (userId === personOf(context.holder)?.id) throw new ApiError('bad-request', 'You cannot delete yourself.')
    const { id } = await userOf(userId, context)
    await context.metadata.users.delete(id)
    return done
  },
})

const ListedUserAnswer = UserAnswer.extend({
  twoFactorRequired: z.literal(false),
  _count: z.object({ websites: z.number().int() }),
})

const listedUserAnswer = (user: ListedUser): z.infer<typeof ListedUserAnswer> => ({
  ...userAnswer(user),
  twoFactorRequired: false,
  _count: { websites: user.websites },
})

/** The same list under both of its names. */
const listed = <const Name extends string, const Path extends string>(name: Name, path: Path) =>
  action({
    name,
    method: 'get',
    path,
    summary: 'Users, paged.',
    access: { to: 'admin' },
    query: query(lists('Part of the username, in any case.', ['username', 'role', 'createdAt'])),
    answer: listOf(ListedUserAnswer),
    run: ({ list }, { metadata }) => paged(list, (part) => metadata.users.list(part), listedUserAnswer),
  })

export const getUsers = listed('getUsers', '/api/users')

export const getAdminUsers = listed('getAdminUsers', '/api/admin/users')
