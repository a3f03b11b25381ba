import * as z from 'zod'
import { mayOnTeam } from '../../access/rights.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Member, Team } from '../../metadata/teams.ts'
import { timeOf } from '../answers.ts'
import type { Context } from '../endpoint.ts'

export const TeamUser = titled('TeamMember', () =>
  z.object({
    id: z.string(),
    teamId: z.string(),
    userId: z.string(),
    role: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
)

export const NamedTeamUser = titled('NamedTeamMember', () =>
  TeamUser().extend({ user: z.object({ id: z.string(), username: z.string() }) }),
)

export const TeamAnswer = titled('Team', () =>
  z.object({
    id: z.string(),
    name: z.string(),
    accessCode: z
      .string()
      .nullable()
      .describe('Anyone who knows it may join. Shown to callers who may change the team.'),
    logoUrl: z.string().nullable(),
    twoFactorRequired: z.boolean(),
    createdAt: z.string(),
    updatedAt: z.string(),
    deletedAt: z.literal(null),
  }),
)

export const TeamWithMembers = () => TeamAnswer().extend({ members: z.array(NamedTeamUser()) })

export const ListedTeam = titled('ListedTeam', () =>
  TeamWithMembers().extend({
    _count: z.object({ websites: z.number().int(), members: z.number().int() }),
  }),
)

export const teamUser = (teamId: string, member: Member): ValueOf<typeof TeamUser> => ({
  id: member.id,
  teamId,
  userId: member.userId,
  role: member.role,
  createdAt: timeOf(member.createdAt),
  updatedAt: timeOf(member.updatedAt),
})

export const namedTeamUser = (teamId: string, member: Member): ValueOf<typeof NamedTeamUser> => ({
  ...teamUser(teamId, member),
  user: { id: member.userId, username: member.username },
})

export const teamAnswer = (team: Team, { holder }: Pick<Context, 'holder'>): ValueOf<typeof TeamAnswer> => ({
  id: team.id,
  name: team.name,
  accessCode: mayOnTeam(holder, team.id, 'update') ? team.accessCode : null,
  logoUrl: team.logoUrl,
  twoFactorRequired: team.twoFactorRequired === 1,
  createdAt: timeOf(team.createdAt),
  updatedAt: timeOf(team.updatedAt),
  deletedAt: null,
})

export const teamWithMembers = (team: Team, context: Pick<Context, 'holder'>): ValueOf<typeof TeamWithMembers> => ({
  ...teamAnswer(team, context),
  members: team.members.map((member) => namedTeamUser(team.id, member)),
})

export const listedTeam =
  (context: Pick<Context, 'holder'>) =>
  (team: Team): ValueOf<typeof ListedTeam> => ({
    ...teamWithMembers(team, context),
    _count: { websites: team.websites, members: team.members.length },
  })
