import { goodRequest } from '../support/good-requests.ts'
import { pathOf, type Reply, send } from '../support/weir.ts'
import type { Caller, Target, World } from './world.ts'

/** Sends a request with which nothing is wrong, whoever sends it. */
export async function ask(endpoint: string, caller: Caller, world: World, target: Target): Promise<Reply> {
  const [method = '', path = ''] = endpoint.split(' ')
  const ids: Readonly<Record<string, string>> = { ...target, userId: world.memberId, keyId: world.keyId }
  const { query, body } = goodRequest(endpoint, { ...world, ...target, isOperator: caller === 'operator' })
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
