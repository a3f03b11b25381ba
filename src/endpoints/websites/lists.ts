import { ownWebsites } from '../../access/rights.ts'
import type { WebsiteListFilter } from '../../metadata/websites.ts'
import { freeText, group, query } from '../../request/query-string.ts'
import { action, type Context } from '../endpoint.ts'
import { type AskedList, listOf, lists, paged } from '../lists.ts'
import { ListedWebsiteAnswer, listedWebsiteAnswer } from './answer.ts'

const parts = lists('Part of the name or the domain, in any case.', ['name', 'domain', 'createdAt'])

const teams = group(
  { includeTeams: freeText('Any text: the websites of the teams too.') },
  ({ includeTeams = '' }) => ({ includeTeams: includeTeams !== '' }),
)

const answer = listOf(ListedWebsiteAnswer)

const websites = (whose: WebsiteListFilter, list: AskedList<'name' | 'domain' | 'createdAt'>, context: Context) =>
  paged(list, (part) => context.metadata.websites.list(whose, part), listedWebsiteAnswer(context))

/** The same list under both of its names. */
const own = <const Path extends string>(name: string, path: Path, summary: string) =>
  action({
    name,
    method: 'get',
    path,
    summary,
    access: { to: 'known' },
    query: query(parts, teams),
    answer,
    run: ({ list, includeTeams }, context) => websites(ownWebsites(context.holder, includeTeams), list, context),
  })

export const listWebsites = own(
  'listWebsites',
  '/api/websites',
  'Websites of the caller, or those that the key is for, paged.',
)

export const getMyWebsites = own('getMyWebsites', '/api/me/websites', 'The same as /api/websites.')

export const getUserWebsites = action({
  name: 'getUserWebsites',
  method: 'get',
  path: '/api/users/:userId/websites',
  summary: 'Websites of a user, paged.',
  access: { to: 'self' },
  query: query(parts, teams),
  answer,
  run: ({ userId, list, includeTeams }, context) => websites({ userId, includeTeams }, list, context),
})

export const getTeamWebsites = action({
  name: 'getTeamWebsites',
  method: 'get',
  path: '/api/teams/:teamId/websites',
  summary: 'Websites of a team, paged.',
  access: { to: 'team', right: 'view' },
  query: query(parts),
  answer,
  run: ({ teamId, list }, context) => websites({ teamId }, list, context),
})

export const getAdminWebsites = action({
  name: 'getAdminWebsites',
  method: 'get',
  path: '/api/admin/websites',
  summary: 'All websites, paged.',
  access: { to: 'admin' },
  query: query(parts),
  answer,
  run: ({ list }, context) => websites({}, list, context),
})
