import * as apiKeys from './api-keys.ts'
import * as auth from './auth.ts'
import type { Endpoint } from './endpoint.ts'
import * as eventData from './event-data.ts'
import * as counts from './event-data-counts.ts'
import * as pivot from './event-data-pivot.ts'
import * as events from './events.ts'
import * as health from './health.ts'
import * as me from './me.ts'
import { readOf } from './read.ts'
import * as segments from './segments.ts'
import * as shares from './shares.ts'
import * as teamMembers from './team-members.ts'
import * as teams from './teams.ts'
import * as users from './users.ts'
import * as websiteLists from './website-lists.ts'
import * as websites from './websites.ts'

/** Fixed paths stand before those with an id in their place. */
const others: readonly Endpoint[] = [
  events.events,
  events.eventStats,
  eventData.eventData,
  counts.eventDataEvents,
  counts.eventDataFields,
  counts.eventDataProperties,
  counts.eventDataStats,
  counts.eventDataValues,
  eventData.eventDataById,
  pivot.eventDataPivot,
  websiteLists.listWebsites,
  websites.createWebsite,
  websites.getWebsite,
  websites.updateWebsite,
  websites.deleteWebsite,
  websites.resetWebsite,
  websites.transferWebsite,
  teams.getTeams,
  teams.createTeam,
  teams.joinTeam,
  teams.getTeam,
  teams.updateTeam,
  teams.deleteTeam,
  teamMembers.getTeamUsers,
  teamMembers.createTeamUser,
  teamMembers.getTeamUser,
  teamMembers.updateTeamUser,
  teamMembers.deleteTeamUser,
  websiteLists.getTeamWebsites,
  teams.getMyTeams,
  websiteLists.getMyWebsites,
  teams.getUserTeams,
  websiteLists.getUserWebsites,
  teams.getAdminTeams,
  websiteLists.getAdminWebsites,
  segments.getWebsiteSegments,
  segments.createWebsiteSegment,
  segments.getWebsiteSegment,
  segments.updateWebsiteSegment,
  segments.deleteWebsiteSegment,
  shares.getWebsiteShares,
  shares.createWebsiteShare,
  shares.createShare,
  shares.getShare,
  shares.updateShare,
  shares.deleteShare,
  shares.getShareBySlug,
  apiKeys.getMyApiKeys,
  apiKeys.createMyApiKey,
  apiKeys.deleteMyApiKey,
  auth.login,
  auth.logout,
  auth.verify,
  me.getMe,
  me.updateMyPassword,
  users.getUsers,
  users.getAdminUsers,
  users.createUser,
  users.getUser,
  users.updateUser,
  users.deleteUser,
  health.health,
  health.ready,
]

export const read = readOf(others)

/** Everything the API offers. */
export const endpoints: readonly Endpoint[] = [...others, read]
