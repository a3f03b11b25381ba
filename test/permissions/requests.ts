import { randomUUID } from 'node:crypto'
import { day } from '../support/website.ts'
import { pathOf, type Reply, send } from '../support/weir.ts'
import { type Caller, password, type Target, type World } from './world.ts'

interface Asked {
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/** Sends a request with which nothing is wrong, whoever sends it. */
export async function ask(endpoint: string, caller: Caller, world: World, target: Target): Promise<Reply> {
  const [method = '', path = ''] = endpoint.split(' ')
  const ids: Readonly<Record<string, string>> = { ...target, userId: world.memberId, keyId: world.keyId }
  const { query, body } = requests[endpoint]?.(caller, world, target) ?? {}
  const isJson = body !== undefined
  return send(
    pathOf(
      path.replace(/:(\w+)/g, (_, name: string) => ids[name]!),
      query,
    ),
    {
      method,
      headers: { ...world.headers[caller], ...(isJson && { 'content-type': 'application/json' }) },
      ...(isJson && { body: JSON.stringify(body) }),
    },
  )
}

const range = { startAt: day.startAt, endAt: day.endAt }
const eventName = 'sign-up'
const propertyName = 'plan'
const inRange = (): Asked => ({ query: range })
const newName = () => `name ${randomUUID().slice(0, 8)}`
const segment = () => ({ type: 'segment', name: newName(), parameters: { filters: [] } })
const website = '/api/websites/:websiteId'

const requests: Readonly<Record<string, (caller: Caller, world: World, target: Target) => Asked>> = {
  [`GET ${website}/events`]: inRange,
  [`GET ${website}/events/stats`]: inRange,
  [`GET ${website}/event-data`]: inRange,
  [`GET ${website}/event-data/events`]: inRange,
  [`GET ${website}/event-data/fields`]: inRange,
  [`GET ${website}/event-data/properties`]: inRange,
  [`GET ${website}/event-data/values`]: () => ({ query: { ...range, event: eventName, propertyName } }),
  [`GET ${website}/event-data/stats`]: inRange,
  [`GET ${website}/event-data-pivot`]: () => ({ query: { ...range, eventName } }),
  'POST /api/websites': () => ({ body: { name: newName(), domain: 'example.com' } }),
  [`POST ${website}`]: () => ({ body: { name: newName() } }),
  [`POST ${website}/transfer`]: (_caller, _world, { teamId }) => ({ body: { teamId } }),
  [`POST ${website}/shares`]: () => ({ body: { name: newName(), parameters: {} } }),
  [`GET ${website}/segments`]: () => ({ query: { type: 'segment' } }),
  [`POST ${website}/segments`]: () => ({ body: segment() }),
  [`POST ${website}/segments/:segmentId`]: () => ({ body: segment() }),
  'POST /api/share': (_caller, _world, { websiteId }) => ({
    body: { entityId: websiteId, shareType: 1, name: newName(), parameters: {} },
  }),
  'POST /api/share/id/:shareId': () => ({ body: { name: newName(), slug: randomUUID(), parameters: {} } }),
  'POST /api/teams': (caller, { memberId }) => ({
    body: { name: newName(), ...(caller === 'operator' && { ownerId: memberId }) },
  }),
  'POST /api/teams/join': (_caller, { accessCode }) => ({ body: { accessCode } }),
  'POST /api/teams/:teamId': () => ({ body: { name: newName() } }),
  'POST /api/teams/:teamId/users': (_caller, { newcomerId }) => ({ body: { userId: newcomerId, role: 'team-member' } }),
  'POST /api/teams/:teamId/users/:userId': () => ({ body: { role: 'team-view-only' } }),
  'POST /api/me/password': () => ({ body: { currentPassword: password, newPassword: 'another good one' } }),
  'POST /api/me/api-keys': () => ({ body: { name: newName() } }),
  'POST /api/auth/login': (_caller, { memberName }) => ({ body: { username: memberName, password } }),
  'POST /api/users': () => ({ body: { username: newName(), password: 'a good password', role: 'user' } }),
  'POST /api/users/:userId': () => ({ body: { role: 'view-only' } }),
}
