import { goodRequest } from '../support/good-requests.ts'
import type { Target } from '../support/organisation.ts'
import { pathOf, type Reply, send } from '../support/weir.ts'
import type { Caller, World } from './world.ts'

/** A request that is valid for every caller. */
export function requestOf(endpoint: string, caller: Caller, world: World, target: Target) {
  const [method = '', path = ''] = endpoint.split(' ')
  const ids: Readonly<Record<string, string>> = {
    ...target,
    userId: world.memberId,
    keyId: world.keyId,
    identityId: world.keyId,
    importId: target.websiteId,
  }
  const { query, body } = goodRequest(endpoint, { ...world, ...target, isOperator: caller === 'operator' })
  const isJson = body !== undefined
  return {
    path: pathOf(
      path.replace(/:(\w+)/g, (_, name: string) => ids[name]!),
      query,
    ),
    method,
    headers: { ...world.headers[caller], ...(isJson && { 'content-type': 'application/json' }) },
    ...(isJson && { body: JSON.stringify(body) }),
  }
}

export async function ask(endpoint: string, caller: Caller, world: World, target: Target): Promise<Reply> {
  const { path, ...init } = requestOf(endpoint, caller, world, target)
  return send(path, init)
}
