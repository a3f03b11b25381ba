import * as z from 'zod'
import { forbidden } from '../../access/permit.ts'
import { mayOnTeam, personOf } from '../../access/rights.ts'
import { invalid } from '../../errors.ts'
import type { Member } from '../../metadata/teams.ts'
import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { action, type Context } from '../endpoint.ts'
import { id } from '../ids.ts'
import { answerList, listGroup, listSchema } from '../lists.ts'
import { NamedTeamUser, namedTeamUser, TeamUser, teamUser } from './answer.ts'
import { requireTeam } from './teams.ts'

/** The roles that can be assigned. A team gets its owner when it is created. */
const memberRoles = ['team-member', 'team-view-only', 'team-manager'] as const

const wrongRole = `Must be one of: ${memberRoles.join(', ')}.`

const memberRole = () => z.enum(memberRoles, { error: wrongRole })

/** A role to assign, or an owner's role, which callers may send back unchanged. */
const roleOrOwner = () => z.enum([...memberRoles, 'team-owner'], { error: wrongRole })

export const getTeamUsers = action({
  name: 'getTeamUsers',
  path: '/api/teams/:teamId/users',
  summary: 'Members of a team, paged.',
  access: { to: 'team', right: 'view' },
  query: query(listGroup('Part of the name of the user, ignoring case.', ['username', 'role', 'createdAt'])),
  answer: listSchema(NamedTeamUser),
  run: ({ teamId, list }, { metadata }) =>
    answerList(
      list,
      (part) => metadata.teamMembers.list(teamId, part),
      (member) => namedTeamUser(teamId, member),
    ),
})

export const createTeamUser = action({
  name: 'createTeamUser',
  method: 'post',
  path: '/api/teams/:teamId/users',
  summary: 'Adds a user to a team.',
  access: { to: 'team', right: 'update' },
  refuses: ['not-found'],
  body: () => z.strictObject({ userId: id(), role: memberRole() }),
  answer: TeamUser,
  async run({ teamId, userId, role }, context) {
    const isNew = await context.metadata.teamMembers.add(teamId, userId, role)
    const member = await context.metadata.teamMembers.read(teamId, userId)
    if (isNew && member) return { body: teamUser(teamId, member) }
    await requireTeam(teamId, context)
    throw invalid([
      { path: 'userId', message: member ? 'Is already a member of this team.' : 'There is no such user.' },
    ])
  },
})

export const getTeamUser = action({
  name: 'getTeamUser',
  path: '/api/teams/:teamId/users/:userId',
  summary: 'One member of a team.',
  access: { to: 'team', right: 'view' },
  answer: TeamUser,
  run: async ({ teamId, userId }, context) => ({
    body: teamUser(teamId, await requireMember(teamId, userId, context)),
  }),
})

export const updateTeamUser = action({
  name: 'updateTeamUser',
  method: 'post',
  path: '/api/teams/:teamId/users/:userId',
  summary: 'Changes the role of a team member.',
  access: { to: 'team', right: 'update' },
  body: () => z.strictObject({ role: roleOrOwner() }),
  record: {
    answer: NamedTeamUser,
    async read({ teamId, userId }, context) {
      return teamUser(teamId, await requireChangeable(teamId, userId, context))
    },
  },
  answer: TeamUser,
  async run({ teamId, userId, role }, context) {
    const member = await requireChangeable(teamId, userId, context)
    if (role === 'team-owner' && role !== member.role) throw invalid([{ path: 'role', message: wrongRole }])
    if (role !== member.role && !(await context.metadata.teamMembers.setRole(teamId, userId, role))) throw onlyOwner()
    return { body: teamUser(teamId, await requireMember(teamId, userId, context)) }
  },
})

export const deleteTeamUser = action({
  name: 'deleteTeamUser',
  method: 'delete',
  path: '/api/teams/:teamId/users/:userId',
  summary: 'Removes a member from a team. Every member may leave.',
  access: { to: 'team', right: 'view' },
  answer: Done,
  async run({ teamId, userId }, context) {
    const { holder, metadata } = context
    if (personOf(holder)?.id !== userId && !mayOnTeam(holder, teamId, 'update')) {
      throw forbidden('You may only remove yourself from this team.')
    }
    await requireChangeable(teamId, userId, context)
    if (!(await metadata.teamMembers.remove(teamId, userId))) throw onlyOwner()
    return done
  },
})

async function requireMember(teamId: string, userId: string, { metadata }: Context): Promise<Member> {
  const member = await metadata.teamMembers.read(teamId, userId)
  if (!member) throw invalid([{ path: 'userId', message: 'Is not a member of this team.' }])
  return member
}

/** The member, if the caller may change them. Only callers who may delete the team may change an owner. */
async function requireChangeable(teamId: string, userId: string, context: Context): Promise<Member> {
  const member = await requireMember(teamId, userId, context)
  if (member.role === 'team-owner' && !mayOnTeam(context.holder, teamId, 'delete')) {
    throw forbidden('Only an owner or an admin may change or remove an owner.')
  }
  return member
}

const onlyOwner = () => invalid([{ path: 'userId', message: 'Is the only owner, and a team needs one.' }])
