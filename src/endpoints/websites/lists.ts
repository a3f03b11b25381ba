import { ownWebsites } from '../../access/rights.ts'
import type { WebsiteListFilter } from '../../metadata/websites.ts'
import { freeText, group, query } from '../../request/query-string.ts'
import { action, type Context } from '../endpoint.ts'
import { answerList, type ListRequest, listGroup, listSchema } from '../lists.ts'
import { ListedWebsiteAnswer, listedWebsiteAnswer } from './answer.ts'

const websiteListGroup = listGroup('Part of the name or the domain, ignoring case.', ['name', 'domain', 'createdAt'])

const includeTeamsGroup = group(
  { includeTeams: freeText('Any text adds the websites of the caller’s teams.') },
  ({ includeTeams = '' }) => ({ includeTeams: includeTeams !== '' }),
)

const WebsiteListAnswer = listSchema(ListedWebsiteAnswer)

const answerWebsites = (
  whose: WebsiteListFilter,
  list: ListRequest<'name' | 'domain' | 'createdAt'>,
  context: Context,
) => answerList(list, (part) => context.metadata.websites.list('website', whose, part), listedWebsiteAnswer(context))

/** One list under two operation names and paths. */
const ownWebsitesAction = <const Path extends string>(name: string, path: Path, summary: string) =>
  action({
    name,
    path,
    summary,
    access: { to: 'known' },
    query: query(websiteListGroup, includeTeamsGroup),
    answer: WebsiteListAnswer,
    run: ({ list, includeTeams }, context) => answerWebsites(ownWebsites(context.holder, includeTeams), list, context),
  })

export const listWebsites = ownWebsitesAction(
  'listWebsites',
  '/api/websites',
  'The caller’s websites, or those that the key opens, paged.',
)

export const getMyWebsites = ownWebsitesAction('getMyWebsites', '/api/me/websites', 'An alias of /api/websites.')

export const getUserWebsites = action({
  name: 'getUserWebsites',
  path: '/api/users/:userId/websites',
  summary: 'Websites of a user, paged.',
  access: { to: 'self' },
  query: query(websiteListGroup, includeTeamsGroup),
  answer: WebsiteListAnswer,
  run: ({ userId, list, includeTeams }, context) => answerWebsites({ userId, includeTeams }, list, context),
})

export const getTeamWebsites = action({
  name: 'getTeamWebsites',
  path: '/api/teams/:teamId/websites',
  summary: 'Websites of a team, paged.',
  access: { to: 'team', right: 'view' },
  query: query(websiteListGroup),
  answer: WebsiteListAnswer,
  run: ({ teamId, list }, context) => answerWebsites({ teamId }, list, context),
})

export const getAdminWebsites = action({
  name: 'getAdminWebsites',
  path: '/api/admin/websites',
  summary: 'All websites, paged.',
  access: { to: 'admin' },
  query: query(websiteListGroup),
  answer: WebsiteListAnswer,
  run: ({ list }, context) => answerWebsites({}, list, context),
})
