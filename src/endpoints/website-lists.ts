import { ownWebsites } from '../access/rights.ts'
import type { Whose } from '../metadata/websites.ts'
import { freeText, group, query } from '../request/query-string.ts'
import { action, type Context } from './endpoint.ts'
import { type AskedList, listOf, lists, paged } from './lists.ts'
import { ListedWebsiteAnswer, listedWebsiteAnswer } from './website-answer.ts'

const parts = lists('Part of the name or the domain, in any case.', ['name', 'domain', 'createdAt'])

const teams = group(
  { includeTeams: freeText('Any text: the websites of the teams too.') },
  ({ includeTeams = '' }) => ({ includeTeams: includeTeams !== '' }),
)

const answer = listOf(ListedWebsiteAnswer)

const websites = (whose: Whose, list: AskedList<'name' | 'domain' | 'createdAt'>, context: Context) =>
  paged(list, (part) => context.metadata.websites.list(whose, part), listedWebsiteAnswer(context))

export const listWebsites = action({
  name: 'listWebsites',
  method: 'get',
  path: '/api/websites',
  summary: 'Websites of the caller, or those that the key is for, paged.',
  access: { to: 'known' },
  query: query(parts, teams),
  answer,
  run: ({ list, includeTeams }, context) => websites(ownWebsites(context.holder, includeTeams), list, context),
})

export const getMyWebsites = action({
  name: 'getMyWebsites',
  method: 'get',
  path: '/api/me/websites',
  summary: 'The same as /api/websites.',
  access: { to: 'known' },
  query: query(parts, teams),
  answer,
  run: ({ list, includeTeams }, context) => websites(ownWebsites(context.holder, includeTeams), list, context),
})

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
