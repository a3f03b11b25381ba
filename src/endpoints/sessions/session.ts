import * as z from 'zod'
import { ApiError } from '../../errors.ts'
import { ofVisits, totaltime } from '../../query/figures/figures.ts'
import { type Plan, select } from '../../query/language/statement.ts'
import { isoSecond } from '../../query/language/time.ts'
import { byDistinctId, linksOf, mostLinked, sharingSessions, visitsOfSession } from '../../query/lists/one-session.ts'
import { mayUpdate, query } from '../../request/query-string.ts'
import { report } from '../endpoint.ts'
import { pageView } from '../examples.ts'
import { attributes, attributesOf, lastSaid } from './attributes.ts'

const Figures = () =>
  z.object({
    visits: z.number(),
    views: z.number(),
    customs: z.number(),
    totaltime: z.number(),
    first_ms: z.number(),
    last_ms: z.number(),
    said: z.array(z.string()).length(attributes.length),
  })

const Links = () => z.object({ ids: z.array(z.string()) })
const Sharing = () => z.object({ sessions: z.number() })

interface SessionRows extends Record<string, unknown> {
  figures: z.infer<ReturnType<typeof Figures>>
  links?: z.infer<ReturnType<typeof Links>>
  sharing?: z.infer<ReturnType<typeof Sharing>>
}

const label = () => z.string()
const count = () => z.number().int()

export const noSuchSession = () => new ApiError('not-found', 'This website has no such session.')

export const getWebsiteSession = report({
  name: 'getWebsiteSession',
  path: '/api/websites/:websiteId/sessions/:sessionId',
  sections: ['sessions', 'events', 'realtime', 'revenue'],
  summary: 'One session: its attributes at its last view or custom event, its figures, and its distinct ids.',
  refuses: ['not-found'],
  caps: true,
  example: { query: {}, events: [pageView], ids: { sessionId: pageView.session_id } },
  query: query(mayUpdate),
  answer: () =>
    z.object({
      id: label(),
      websiteId: label(),
      distinctId: label().nullable(),
      distinctIds: z.array(label()),
      browser: label(),
      os: label(),
      device: label(),
      screen: label(),
      language: label(),
      country: label(),
      region: label(),
      city: label(),
      firstAt: label(),
      lastAt: label(),
      visits: count(),
      views: count(),
      events: count(),
      totaltime: count(),
      canDelete: z.boolean(),
      stitchedSessionCount: count(),
    }),
  plan: ({ sessionId }, scope): Plan<SessionRows> => ({
    figures: select(Figures)`
      select ${ofVisits.visits} as visits, sum(views) as views, sum(customs) as customs,
        ${totaltime} as totaltime,
        toUnixTimestamp64Milli(min(first_at)) as first_ms, toUnixTimestamp64Milli(max(last_at)) as last_ms,
        argMax(said, newest) as said
      from ${visitsOfSession(scope, sessionId, lastSaid)}
      having visits > 0`,
    ...(!scope.hidesDistinctIds && {
      links: select(Links)`
        select arraySort(groupUniqArray(distinct_id)) as ids ${linksOf(scope, sessionId)}`,
      sharing: select(Sharing)`
        select count() as sessions from ${sharingSessions(scope, sessionId)} ${byDistinctId}`,
    }),
  }),
  shape: ({ figures, links, sharing }, { websiteId, sessionId, mayUpdate }) => {
    const [found] = figures.rows
    if (!found) throw noSuchSession()
    const distinctIds = links?.rows[0]?.ids ?? []
    const [distinctId = null, another] = distinctIds
    const isOnly = distinctId !== null && another === undefined
    const sessions = isOnly ? (sharing?.rows[0]?.sessions ?? 1) : 1
    return {
      body: {
        id: sessionId,
        websiteId,
        distinctId: isOnly ? distinctId : null,
        distinctIds,
        ...attributesOf(found.said),
        firstAt: isoSecond(found.first_ms),
        lastAt: isoSecond(found.last_ms),
        visits: found.visits,
        views: found.views,
        events: found.customs,
        totaltime: found.totaltime,
        canDelete: mayUpdate,
        stitchedSessionCount: Math.min(sessions, mostLinked),
      },
      ...(sessions > mostLinked && { capped: 'stitchedSessionCount' }),
    }
  },
})
