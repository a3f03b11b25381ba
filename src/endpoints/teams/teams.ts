import * as z from 'zod'
import { forbidden } from '../../access/permit.ts'
import { isAdmin, personOf } from '../../access/rights.ts'
import { ApiError, invalid } from '../../errors.ts'
import type { ValueOf } from '../../made.ts'
import type { Team } from '../../metadata/teams.ts'
import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { nameSchema } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { id } from '../ids.ts'
import { answerList, type ListRequest, listGroup, listSchema } from '../lists.ts'
import { makeSlug } from '../shares/shares.ts'
import {
  ListedTeam,
  listedTeam,
  TeamAnswer,
  TeamUser,
  TeamWithMembers,
  teamAnswer,
  teamUser,
  teamWithMembers,
} from './answer.ts'

const teamListGroup = listGroup('Part of the name, ignoring case.', ['name', 'createdAt'])

const answerTeams = (userId: string | undefined, list: ListRequest<'name' | 'createdAt'>, context: Context) =>
  answerList(list, (part) => context.metadata.teams.list(userId, part), listedTeam(context))

/** One list under two operation names and paths. */
const ownTeamsAction = <const Path extends string>(name: string, path: Path, summary: string) =>
  action({
    name,
    path,
    summary,
    access: { to: 'account' },
    query: query(teamListGroup),
    answer: listSchema(ListedTeam),
    run: ({ list }, context) => answerTeams(personOf(context.holder)?.id, list, context),
  })

export const getTeams = ownTeamsAction(
  'getTeams',
  '/api/teams',
  'The caller’s teams, paged. The operator’s key returns all teams.',
)

export const getMyTeams = ownTeamsAction('getMyTeams', '/api/me/teams', 'An alias of /api/teams.')

export const getUserTeams = action({
  name: 'getUserTeams',
  path: '/api/users/:userId/teams',
  summary: 'The teams of a user, paged.',
  access: { to: 'self' },
  query: query(teamListGroup),
  answer: listSchema(ListedTeam),
  run: ({ userId, list }, context) => answerTeams(userId, list, context),
})

export const getAdminTeams = action({
  name: 'getAdminTeams',
  path: '/api/admin/teams',
  summary: 'All teams, paged.',
  access: { to: 'admin' },
  query: query(teamListGroup),
  answer: listSchema(ListedTeam),
  run: ({ list }, context) => answerTeams(undefined, list, context),
})

/** A pair. It avoids `z.tuple`, which would add 640 bytes to the bundle and is not used elsewhere. */
const CreatedTeam = () =>
  z
    .array(z.union([TeamAnswer(), TeamUser()]))
    .length(2)
    .describe('The team and the membership of its owner.') as unknown as z.ZodType<
    readonly [ValueOf<typeof TeamAnswer>, ValueOf<typeof TeamUser>]
  >

export const createTeam = action({
  name: 'createTeam',
  method: 'post',
  path: '/api/teams',
  summary: 'Creates a team for the caller. Admins may choose another owner.',
  access: { to: 'account' },
  body: () => z.strictObject({ name: nameSchema(50), ownerId: id().optional() }),
  answer: CreatedTeam,
  async run({ name, ownerId }, context) {
    const { holder, metadata } = context
    const person = personOf(holder)
    if (person?.role === 'view-only') throw forbidden('A view-only user may not create teams.')
    if (ownerId !== undefined && ownerId !== person?.id && !isAdmin(holder)) {
      throw forbidden('Only an admin may create teams for other users.')
    }
    const owner = ownerId ?? person?.id
    if (owner === undefined)
      throw invalid([{ path: 'ownerId', message: 'This key belongs to no user: give the id of the team’s owner.' }])
    const teamId = crypto.randomUUID()
    const created = await metadata.teams.create({ id: teamId, name, accessCode: `team_${makeSlug()}` }, owner)
    if (!created) throw invalid([{ path: 'ownerId', message: 'There is no such user.' }])
    const team = await requireTeam(teamId, context)
    const shown = { ...teamAnswer(team, context), accessCode: team.accessCode }
    return { body: [shown, teamUser(teamId, team.members[0]!)] as const }
  },
})

export const getTeam = action({
  name: 'getTeam',
  path: '/api/teams/:teamId',
  summary: 'One team with its members.',
  access: { to: 'team', right: 'view' },
  refuses: ['not-found'],
  answer: TeamWithMembers,
  run: async ({ teamId }, context) => ({ body: teamWithMembers(await requireTeam(teamId, context), context) }),
})

const accessCode = () => z.string().regex(/^[\w-]{8,100}$/, { error: 'Must be 8 to 100 letters, digits, and - _' })

export const updateTeam = action({
  name: 'updateTeam',
  method: 'post',
  path: '/api/teams/:teamId',
  summary: 'Changes the name or the access code of a team.',
  access: { to: 'team', right: 'update' },
  refuses: ['not-found'],
  body: () => z.strictObject({ name: nameSchema(50).optional(), accessCode: accessCode().nullish() }),
  record: {
    answer: ListedTeam,
    read: async ({ teamId }, context) => teamAnswer(await requireTeam(teamId, context), context),
  },
  answer: TeamAnswer,
  async run({ teamId, name, accessCode }, context) {
    // Callers who may not see the code get null.
    const change = { ...(name !== undefined && { name }), ...(accessCode && { accessCode }) }
    const isNewCode =
      change.accessCode !== undefined && change.accessCode !== (await requireTeam(teamId, context)).accessCode
    // A refusal reveals another team's code, so each try counts as an attempt.
    if (isNewCode) await context.attempt({ kind: 'access-code' })
    if (!(await context.metadata.teams.update(teamId, change))) {
      throw invalid([{ path: 'accessCode', message: 'Another team has this access code. Choose another one.' }])
    }
    return { body: teamAnswer(await requireTeam(teamId, context), context) }
  },
})

export const deleteTeam = action({
  name: 'deleteTeam',
  method: 'delete',
  path: '/api/teams/:teamId',
  summary: 'Deletes a team and everything it owns.',
  access: { to: 'team', right: 'delete' },
  refuses: ['not-found'],
  answer: Done,
  async run({ teamId }, context) {
    await requireTeam(teamId, context)
    await context.metadata.teams.delete(teamId)
    return done
  },
})

export const joinTeam = action({
  name: 'joinTeam',
  method: 'post',
  path: '/api/teams/join',
  summary: 'Adds the caller to the team with this access code.',
  access: { to: 'account' },
  refuses: ['team-not-found'],
  body: () => z.strictObject({ accessCode: z.string().max(100, { error: 'Must be at most 100 characters long.' }) }),
  answer: TeamUser,
  async run({ accessCode }, { holder, metadata, attempt }) {
    const person = personOf(holder)
    if (!person) throw forbidden('This key belongs to no user: only users can join teams.')
    await attempt({ kind: 'access-code' })
    const teamId = await metadata.teams.idByAccessCode(accessCode)
    if (teamId === undefined) throw new ApiError('team-not-found', 'There is no team with this access code.')
    if (!(await metadata.teamMembers.add(teamId, person.id, 'team-member'))) {
      throw invalid([{ path: 'accessCode', message: 'You are already a member of this team.' }])
    }
    const member = await metadata.teamMembers.read(teamId, person.id)
    if (!member) throw forbidden('You were removed from this team just now.')
    return { body: teamUser(teamId, member) }
  },
})

/** The team. Admins may request any id, and get a 404 for an unknown one. */
export async function requireTeam(teamId: string, { metadata }: Context): Promise<Team> {
  const team = await metadata.teams.read(teamId)
  if (!team) throw new ApiError('not-found', 'There is no such team.')
  return team
}
