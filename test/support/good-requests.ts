import { randomUUID } from 'node:crypto'
import type { Endpoint } from '../../src/endpoints/endpoint.ts'
import { reports } from './reports.ts'
import { day } from './website.ts'

/** The ids in the bodies of valid requests. */
export interface GoodIds {
  readonly websiteId: string
  readonly teamId: string
  readonly accessCode: string
  readonly memberId: string
  readonly memberName: string
  readonly newcomerId: string
  /** Whether the operator sends the request. The operator creates teams for other users. */
  readonly isOperator: boolean
}

export interface Asked {
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/** The member's password. */
export const password = 'correct horse battery'

/** A key such as `GET /api/teams/:teamId`, used by the table of permissions and the list of valid requests. */
export const keyOf = ({ method, path }: Pick<Endpoint, 'method' | 'path'>): string => `${method.toUpperCase()} ${path}`

/** A valid query string and body, without the path's ids. */
export const goodRequest = (key: string, ids: GoodIds): Asked => requests[key]?.(ids) ?? examples.get(key)?.(ids) ?? {}

/** A query string and body that are valid, except that no ids other than the given ones exist. */
export function goodRequestOfNobody(endpoint: Endpoint, given: Pick<Partial<GoodIds>, 'websiteId'> = {}): Asked {
  const [websiteId, teamId, memberId, newcomerId] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const nobody = { accessCode: 'none', memberName: 'nobody', isOperator: true }
  return goodRequest(keyOf(endpoint), { websiteId, teamId, memberId, newcomerId, ...nobody, ...given })
}

const range = { startAt: day.startAt, endAt: day.endAt }

/** Each report's example, in its query string or its body. */
const examples = new Map(
  reports.map((report) => {
    const { path, example } = report
    const type = path.slice(path.lastIndexOf('/') + 1)
    const asked = ({ websiteId }: GoodIds): Asked =>
      report.method === 'post'
        ? { body: { websiteId, type, filters: {}, parameters: example.query } }
        : { query: example.query }
    return [keyOf(report), asked]
  }),
)
const newName = () => `name ${randomUUID().slice(0, 8)}`
const segment = () => ({ type: 'segment', name: newName(), parameters: { filters: [] } })
const annotation = () => ({ date: '2025-10-15', note: newName() })
const savedReport = (websiteId: string) => ({ websiteId, type: 'utm', name: newName(), parameters: {} })
const savedFunnel = () => ({
  name: newName(),
  parameters: { window: 60, steps: ['/a', '/b'].map((value) => ({ type: 'path', value })) },
})
const savedGoal = () => ({ name: newName(), parameters: { type: 'path', value: '/a' } })
const website = '/api/websites/:websiteId'

const requests: Readonly<Record<string, (ids: GoodIds) => Asked>> = {
  'GET /api/websites/charts': ({ websiteId }) => ({ query: { ids: websiteId, ...range } }),
  [`GET ${website}/attribution`]: () => ({ query: { ...range, model: 'last-click', type: 'path', step: '*' } }),
  'POST /api/websites': () => ({ body: { name: newName(), domain: 'example.com' } }),
  [`POST ${website}`]: () => ({ body: { name: newName() } }),
  [`GET ${website}/replays`]: () => ({ query: range }),
  [`GET ${website}/sessions/:sessionId/replays`]: () => ({ query: range }),
  [`POST ${website}/replays/saved/:replayId`]: () => ({ body: { isSaved: true, name: newName() } }),
  [`GET ${website}/heatmaps`]: () => ({ query: range }),
  'POST /api/reports/heatmap': ({ websiteId }) => ({
    body: { websiteId, type: 'heatmap', filters: {}, parameters: range },
  }),
  [`POST ${website}/transfer`]: ({ teamId }) => ({ body: { teamId } }),
  [`POST ${website}/shares`]: () => ({ body: { name: newName(), parameters: {} } }),
  [`GET ${website}/segments`]: () => ({ query: { type: 'segment' } }),
  [`POST ${website}/segments`]: () => ({ body: segment() }),
  [`POST ${website}/segments/:segmentId`]: () => ({ body: segment() }),
  [`POST ${website}/people/export`]: () => ({ body: { sessionId: randomUUID() } }),
  [`POST ${website}/people/erase`]: () => ({ body: { sessionId: randomUUID() } }),
  // Concurrent tests add entries about other websites.
  'GET /api/admin/audit': ({ websiteId }) => ({
    query: { subjectId: websiteId, startAt: 0, endAt: 9_999_999_999_999 },
  }),
  [`GET ${website}/annotations`]: () => ({ query: range }),
  [`POST ${website}/annotations`]: () => ({ body: annotation() }),
  [`POST ${website}/annotations/:annotationId`]: () => ({ body: annotation() }),
  'GET /api/links/charts': ({ websiteId }) => ({ query: { ids: websiteId, ...range } }),
  'POST /api/links': () => ({ body: { name: newName(), url: 'https://example.com/sale', slug: randomUUID() } }),
  'POST /api/links/:linkId': () => ({ body: { name: newName() } }),
  'POST /api/links/:linkId/shares': () => ({ body: { name: newName(), parameters: {} } }),
  'GET /api/pixels/charts': ({ websiteId }) => ({ query: { ids: websiteId, ...range } }),
  'POST /api/pixels': () => ({ body: { name: newName(), slug: randomUUID() } }),
  'POST /api/pixels/:pixelId': () => ({ body: { name: newName() } }),
  'POST /api/pixels/:pixelId/shares': () => ({ body: { name: newName(), parameters: {} } }),
  'GET /api/reports': ({ websiteId }) => ({ query: { websiteId, type: 'utm' } }),
  'POST /api/reports': ({ websiteId }) => ({ body: savedReport(websiteId) }),
  'POST /api/reports/:reportId': ({ websiteId }) => ({ body: savedReport(websiteId) }),
  [`GET ${website}/reports`]: () => ({ query: { type: 'utm' } }),
  [`POST ${website}/funnels`]: () => ({ body: savedFunnel() }),
  [`POST ${website}/funnels/:funnelId`]: () => ({ body: savedFunnel() }),
  [`POST ${website}/goals`]: () => ({ body: savedGoal() }),
  [`POST ${website}/goals/:goalId`]: () => ({ body: savedGoal() }),
  'POST /api/boards': () => ({ body: { name: newName(), type: 'open' } }),
  'POST /api/boards/:boardId': () => ({ body: { name: newName() } }),
  'POST /api/boards/:boardId/clone': () => ({ body: {} }),
  'POST /api/boards/:boardId/shares': () => ({ body: { name: newName(), parameters: {} } }),
  'POST /api/dashboard': () => ({ body: { name: newName() } }),
  'POST /api/share': ({ websiteId }) => ({
    body: { entityId: websiteId, shareType: 1, name: newName(), parameters: {} },
  }),
  'POST /api/share/id/:shareId': () => ({ body: { name: newName(), slug: randomUUID(), parameters: {} } }),
  'POST /api/teams': ({ memberId, isOperator }) => ({
    body: { name: newName(), ...(isOperator && { ownerId: memberId }) },
  }),
  'POST /api/teams/join': ({ accessCode }) => ({ body: { accessCode } }),
  'POST /api/teams/:teamId': () => ({ body: { name: newName() } }),
  'POST /api/teams/:teamId/users': ({ newcomerId }) => ({ body: { userId: newcomerId, role: 'team-member' } }),
  'POST /api/teams/:teamId/users/:userId': () => ({ body: { role: 'team-view-only' } }),
  'POST /api/me/password': () => ({ body: { currentPassword: password, newPassword: 'another good one' } }),
  'POST /api/me/api-keys': () => ({ body: { name: newName() } }),
  'POST /api/auth/login': ({ memberName }) => ({ body: { username: memberName, password } }),
  'POST /api/auth/oidc': () => ({ body: { issuer: 'none' } }),
  'POST /api/me/identities': () => ({ body: { issuer: 'none' } }),
  'POST /api/users/:userId/identities': () => ({ body: { issuer: 'https://issuer.example', subject: newName() } }),
  'POST /api/2fa/setup/confirm': () => ({ body: { token: '123456' } }),
  'POST /api/2fa/disable': () => ({ body: { password, token: '123456' } }),
  'POST /api/2fa/verify': () => ({ body: { token: '123456' } }),
  'POST /api/admin/2fa/global': () => ({ body: { required: false } }),
  'POST /api/admin/teams/:teamId/2fa': () => ({ body: { required: false } }),
  'POST /api/admin/users/:userId/2fa': () => ({ body: { required: false } }),
  'POST /api/read': ({ websiteId }) => ({
    body: {
      paths: [
        `/api/websites/${websiteId}`,
        `/api/websites/${websiteId}/events?startAt=${range.startAt}&endAt=${range.endAt}`,
        `/api/websites/${websiteId}/segments?type=segment`,
        '/api/me/websites',
      ],
    },
  }),
  'PUT /api/admin/imports/:importId': () => ({
    body: { source: 'postgresql', state: 'running', rowsDone: 1, rowsTotal: 2, rate: 0.5 },
  }),
  'POST /api/users': () => ({ body: { username: newName(), password: 'a good password', role: 'user' } }),
  'POST /api/users/:userId': () => ({ body: { role: 'view-only' } }),
}
