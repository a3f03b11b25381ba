import type { OperationId, OperationInput, OperationOutput } from '@umami/api-client'
import type * as z from 'zod'
import type * as annotations from '../../src/endpoints/annotations/annotations.ts'
import type * as auth from '../../src/endpoints/auth/auth.ts'
import type { sso } from '../../src/endpoints/auth/sign-on.ts'
import type * as eventData from '../../src/endpoints/event-data/event-data.ts'
import type { getEventDataEvents } from '../../src/endpoints/event-data/events.ts'
import type { getEventDataFields } from '../../src/endpoints/event-data/fields.ts'
import type * as pivot from '../../src/endpoints/event-data/pivot.ts'
import type { getEventDataProperties } from '../../src/endpoints/event-data/properties.ts'
import type { getEventDataValues } from '../../src/endpoints/event-data/values.ts'
import type * as events from '../../src/endpoints/events/events.ts'
import type * as links from '../../src/endpoints/links/links.ts'
import type * as apiKeys from '../../src/endpoints/me/api-keys.ts'
import type { getWebsiteBreakdown } from '../../src/endpoints/reports/breakdown.ts'
import type { getWebsiteGoalStats } from '../../src/endpoints/reports/goal.ts'
import type * as performance from '../../src/endpoints/reports/performance.ts'
import type { getWebsiteRevenueChart } from '../../src/endpoints/revenue/chart.ts'
import type * as segments from '../../src/endpoints/segments/segments.ts'
import type { getSessionDataPivot } from '../../src/endpoints/session-data/pivot.ts'
import type * as sharesOf from '../../src/endpoints/shares/of-entity.ts'
import type * as shares from '../../src/endpoints/shares/shares.ts'
import type * as teamMembers from '../../src/endpoints/teams/members.ts'
import type * as teams from '../../src/endpoints/teams/teams.ts'
import type * as twoFactors from '../../src/endpoints/two-factors/own.ts'
import type * as websiteLists from '../../src/endpoints/websites/lists.ts'
import type { getWebsiteRecorderConfig } from '../../src/endpoints/websites/recorder.ts'
import type * as websites from '../../src/endpoints/websites/websites.ts'
import type { ValueOf } from '../../src/made.ts'

/**
 * Checked by `tsc -p test`, never run: Weir's answers fit the official client's types where these agree with the
 * contract. Not checked, because the generated types are wrong and the contract takes precedence:
 *
 * - `getWebsiteEventStats`: `comparison` is typed as an array with an extra `length`, but it is a single object.
 * - `getEventDataStats`: It is typed as a bare object, but it is an array of one.
 * - `getEventDataById`: `numberValue` is typed like the inside of a Decimal ({ d, e, s }), and fields of a table that
 *   is not returned (`id`, `websiteEventId`) replace `sessionId`, `eventId`, `urlPath` and `eventName`.
 * - `getEventData`: It is checked except for `numberValue` and `dateValue`, which are null if a property is not a
 *   number or a date.
 * - `getEventDataFields`: It is checked, but its type lacks `value`.
 * - Boards and saved reports: Their owner may be null, but the type of their JSON does not allow null.
 */
type Answer<Declared extends { readonly answer: () => z.ZodType }> = Sent<ValueOf<Declared['answer']>>

/** The type of the value once it is JSON: optional fields are never `undefined`. */
type Sent<Type> = Type extends readonly unknown[]
  ? { [Index in keyof Type]: Sent<Type[Index]> }
  : Type extends object
    ? { [Name in keyof Type]: Sent<Exclude<Type[Name], undefined>> }
    : Type

/** The type, but `numberValue` and `dateValue` may also be null. */
type WithNulls<Type> = Type extends readonly (infer Item)[]
  ? WithNulls<Item>[]
  : Type extends object
    ? { [Name in keyof Type]: Name extends 'numberValue' | 'dateValue' ? Type[Name] | null : WithNulls<Type[Name]> }
    : Type

/** The type, but every field may also be null, because the generated metadata types contain no null. */
type Nullable<Type> = { [Name in keyof Type]: Nullable<Type[Name]> | null }

/** The type of a two-factor status, whose two variants differ in `requiredReason`, as a single type. */
type TwoFactorStatus = Omit<OperationOutput<'getTwoFactorStatus'>, 'requiredReason'> & { requiredReason: string | null }

/** `true` if each of Weir's answers fits the client's type. */
type Fits<Ours, Theirs> = [Ours] extends [Theirs] ? true : { ours: Ours; theirs: Theirs }

const holds = <_Check extends true>(): void => {}

export function answersFit(): void {
  holds<Fits<Answer<typeof events.getWebsiteEvents>, OperationOutput<'getWebsiteEvents'>>>()
  holds<Fits<Answer<typeof eventData.getEventData>, WithNulls<OperationOutput<'getEventData'>>>>()
  holds<Fits<Answer<typeof getEventDataEvents>, OperationOutput<'getEventDataEvents'>>>()
  holds<Fits<Answer<typeof getEventDataProperties>, OperationOutput<'getEventDataProperties'>>>()
  holds<Fits<Answer<typeof getEventDataFields>, OperationOutput<'getEventDataFields'>>>()
  holds<Fits<Answer<typeof getEventDataValues>, OperationOutput<'getEventDataValues'>>>()
  holds<Fits<Answer<typeof pivot.getEventDataPivot>, OperationOutput<'getEventDataPivot'>>>()
  holds<Fits<Answer<typeof getSessionDataPivot>, OperationOutput<'getSessionDataPivot'>>>()
  holds<Fits<Answer<typeof getWebsiteGoalStats>, OperationOutput<'getWebsiteGoalStats'>>>()
  holds<Fits<Answer<typeof getWebsiteBreakdown>, OperationOutput<'getWebsiteBreakdown'>>>()
  holds<Fits<Answer<typeof performance.getWebsitePerformanceStats>, OperationOutput<'getWebsitePerformanceStats'>>>()
  holds<Fits<Answer<typeof performance.getWebsitePerformanceChart>, OperationOutput<'getWebsitePerformanceChart'>>>()
  holds<Fits<Answer<typeof getWebsiteRevenueChart>, OperationOutput<'getWebsiteRevenueChart'>>>()
  holds<Fits<Answer<typeof segments.getWebsiteSegments>, OperationOutput<'getWebsiteSegments'>>>()
  holds<Fits<Answer<typeof segments.createWebsiteSegment>, OperationOutput<'createWebsiteSegment'>>>()
  holds<Fits<Answer<typeof segments.getWebsiteSegment>, OperationOutput<'getWebsiteSegment'>>>()
  holds<Fits<Answer<typeof segments.updateWebsiteSegment>, OperationOutput<'updateWebsiteSegment'>>>()
  holds<Fits<Answer<typeof segments.deleteWebsiteSegment>, OperationOutput<'deleteWebsiteSegment'>>>()
  holds<Fits<Answer<typeof shares.createShare>, OperationOutput<'createShare'>>>()
  holds<Fits<Answer<typeof shares.getShare>, OperationOutput<'getShare'>>>()
  holds<Fits<Answer<typeof shares.updateShare>, OperationOutput<'updateShare'>>>()
  holds<Fits<Answer<typeof shares.deleteShare>, OperationOutput<'deleteShare'>>>()
  holds<Fits<Answer<typeof shares.getShareBySlug>, OperationOutput<'getShareBySlug'>>>()
  holds<Fits<Answer<typeof sharesOf.createWebsiteShare>, OperationOutput<'createWebsiteShare'>>>()
  holds<Fits<Answer<typeof sharesOf.getWebsiteShares>, OperationOutput<'getWebsiteShares'>>>()
  holds<Fits<Answer<typeof sharesOf.createLinkShare>, OperationOutput<'createLinkShare'>>>()
  holds<Fits<Answer<typeof sharesOf.getLinkShares>, OperationOutput<'getLinkShares'>>>()
  holds<Fits<Answer<typeof sharesOf.createPixelShare>, OperationOutput<'createPixelShare'>>>()
  holds<Fits<Answer<typeof sharesOf.getPixelShares>, OperationOutput<'getPixelShares'>>>()
  holds<Fits<Answer<typeof sharesOf.createBoardShare>, OperationOutput<'createBoardShare'>>>()
  holds<Fits<Answer<typeof sharesOf.getBoardShares>, OperationOutput<'getBoardShares'>>>()
  holds<Fits<Answer<typeof annotations.getWebsiteAnnotation>, Nullable<OperationOutput<'getWebsiteAnnotation'>>>>()
  holds<Fits<Answer<typeof annotations.getWebsiteAnnotations>, Nullable<OperationOutput<'getWebsiteAnnotations'>>>>()
  holds<Fits<Answer<typeof getWebsiteRecorderConfig>, OperationOutput<'getWebsiteRecorderConfig'>>>()
  holds<Fits<Answer<typeof links.getLink>, Nullable<OperationOutput<'getLink'>>>>()
  holds<Fits<Answer<typeof links.getLinks>, Nullable<OperationOutput<'getLinks'>>>>()
  holds<Fits<Answer<typeof links.getTeamLinks>, Nullable<OperationOutput<'getTeamLinks'>>>>()
  holds<Fits<Answer<typeof links.getPixel>, Nullable<OperationOutput<'getPixel'>>>>()
  holds<Fits<Answer<typeof links.getPixels>, Nullable<OperationOutput<'getPixels'>>>>()
  holds<Fits<Answer<typeof links.getTeamPixels>, Nullable<OperationOutput<'getTeamPixels'>>>>()
  holds<Fits<Answer<typeof apiKeys.createMyApiKey>, OperationOutput<'createMyApiKey'>>>()
  holds<Fits<Answer<typeof apiKeys.getMyApiKeys>, Nullable<OperationOutput<'getMyApiKeys'>>>>()
  holds<Fits<Answer<typeof apiKeys.deleteMyApiKey>, OperationOutput<'deleteMyApiKey'>>>()
  holds<Fits<Answer<typeof websiteLists.listWebsites>, OperationOutput<'listWebsites'>>>()
  holds<Fits<Answer<typeof websiteLists.getMyWebsites>, Nullable<OperationOutput<'getMyWebsites'>>>>()
  holds<Fits<Answer<typeof websiteLists.getUserWebsites>, Nullable<OperationOutput<'getUserWebsites'>>>>()
  holds<Fits<Answer<typeof websiteLists.getTeamWebsites>, Nullable<OperationOutput<'getTeamWebsites'>>>>()
  holds<Fits<Answer<typeof websites.createWebsite>, OperationOutput<'createWebsite'>>>()
  holds<Fits<Answer<typeof websites.getWebsite>, OperationOutput<'getWebsite'>>>()
  holds<Fits<Answer<typeof websites.deleteWebsite>, OperationOutput<'deleteWebsite'>>>()
  holds<Fits<Answer<typeof websites.updateWebsite>, OperationOutput<'updateWebsite'>>>()
  holds<Fits<Answer<typeof websites.resetWebsite>, OperationOutput<'resetWebsite'>>>()
  holds<Fits<Answer<typeof websites.transferWebsite>, Nullable<OperationOutput<'transferWebsite'>>>>()
  holds<Fits<Answer<typeof teams.getTeams>, Nullable<OperationOutput<'getTeams'>>>>()
  holds<Fits<Answer<typeof teams.getMyTeams>, Nullable<OperationOutput<'getMyTeams'>>>>()
  holds<Fits<Answer<typeof teams.getUserTeams>, Nullable<OperationOutput<'getUserTeams'>>>>()
  holds<Fits<Answer<typeof teams.createTeam>, Readonly<Nullable<OperationOutput<'createTeam'>>>>>()
  holds<Fits<Answer<typeof teams.getTeam>, Nullable<OperationOutput<'getTeam'>>>>()
  holds<Fits<Answer<typeof teams.updateTeam>, Nullable<OperationOutput<'updateTeam'>>>>()
  holds<Fits<Answer<typeof teams.deleteTeam>, OperationOutput<'deleteTeam'>>>()
  holds<Fits<Answer<typeof teams.joinTeam>, OperationOutput<'joinTeam'>>>()
  holds<Fits<Answer<typeof teamMembers.getTeamUsers>, OperationOutput<'getTeamUsers'>>>()
  holds<Fits<Answer<typeof teamMembers.createTeamUser>, OperationOutput<'createTeamUser'>>>()
  holds<Fits<Answer<typeof teamMembers.getTeamUser>, OperationOutput<'getTeamUser'>>>()
  holds<Fits<Answer<typeof teamMembers.updateTeamUser>, OperationOutput<'updateTeamUser'>>>()
  holds<Fits<Answer<typeof auth.login>, OperationOutput<'login'>>>()
  holds<Fits<Answer<typeof auth.logout>, OperationOutput<'logout'>>>()
  holds<Fits<Answer<typeof auth.getSubscription>, OperationOutput<'getSubscription'>>>()
  holds<Fits<Answer<typeof sso>, OperationOutput<'sso'>>>()
  holds<Fits<Answer<typeof twoFactors.getTwoFactorStatus>, TwoFactorStatus>>()
  holds<Fits<Answer<typeof twoFactors.initiateTwoFactorSetup>, OperationOutput<'initiateTwoFactorSetup'>>>()
  holds<Fits<Answer<typeof twoFactors.confirmTwoFactorSetup>, OperationOutput<'confirmTwoFactorSetup'>>>()
  holds<Fits<Answer<typeof twoFactors.cancelTwoFactorSetup>, OperationOutput<'cancelTwoFactorSetup'>>>()
  holds<Fits<Answer<typeof twoFactors.disableTwoFactor>, OperationOutput<'disableTwoFactor'>>>()
  holds<Fits<Answer<typeof twoFactors.verifyTwoFactor>, Nullable<OperationOutput<'verifyTwoFactor'>>>>()
  holds<Fits<Answer<typeof teamMembers.deleteTeamUser>, OperationOutput<'deleteTeamUser'>>>()
}

/** The names declared in an operation's input, without those from its index signature. */
type Declared<Id extends OperationId> = keyof {
  [Name in keyof OperationInput<Id> as string extends Name ? never : Name]: true
}

type Ranged = 'websiteId' | 'startAt' | 'endAt' | 'browser' | 'match' | 'eventType' | 'excludeBounce' | 'segment'

/** Fails to compile unless the client's types declare the parameters that the tests use through them. */
export function parametersAreDeclared(): void {
  holds<
    Ranged | 'page' | 'pageSize' | 'maxResults' | 'search' | 'startDate' extends Declared<'getWebsiteEvents'>
      ? true
      : false
  >()
  holds<Ranged | 'compare' | 'unit' extends Declared<'getWebsiteEventStats'> ? true : false>()
  holds<Ranged | 'page' | 'pageSize' | 'maxResults' extends Declared<'getEventData'> ? true : false>()
  holds<Ranged | 'propertyName' | 'eventName' | 'dataType' extends Declared<'getEventDataValues'> ? true : false>()
  holds<Ranged | 'eventName' | 'page' | 'timezone' | 'unit' extends Declared<'getEventDataPivot'> ? true : false>()
}
