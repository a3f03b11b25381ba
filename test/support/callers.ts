import { expect } from 'vitest'
import { type Reply, running, send } from './weir.ts'

export type Headers = Readonly<Record<string, string>>

export const operator: Headers = { authorization: `Bearer ${running.adminKey}` }

export const unauthorized = { status: 401, code: 'unauthorized' }
export const forbidden = { status: 403, code: 'forbidden' }
export const notFound = { status: 404, code: 'not-found' }

/** A time and an id, in the form that answers contain. */
export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const anId = expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)

const sendBody =
  (method: string) =>
  (path: string, body: unknown, headers: Headers = operator): Promise<Reply> =>
    send(path, { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) })

export const post = sendBody('POST')
export const put = sendBody('PUT')

export const remove = (path: string, headers: Headers = operator): Promise<Reply> =>
  send(path, { method: 'DELETE', headers })

export interface NewShare {
  readonly id: string
  readonly slug: string
  readonly token: string
  /** Headers with its token. */
  readonly headers: Headers
}

/** Creates a share through the API. */
export async function newShare(websiteId: string, parameters: object, headers: Headers = operator): Promise<NewShare> {
  const body = { entityId: websiteId, shareType: 1, name: 'of a test', parameters }
  const made = await post('/api/share', body, headers)
  expect(made.body).not.toHaveProperty('error')
  const { id, slug } = made.body
  const origin = (parameters as { origins?: string[] }).origins?.[0]
  const { token } = (await send(`/api/share/${slug}`, { headers: origin ? { origin } : {} })).body
  return { id, slug, token, headers: { 'x-weir-share-token': token } }
}

/** A refusal's body without its request id. */
export const withoutId = ({ body }: Reply): unknown => ({ ...body, error: { ...body.error, requestId: '' } })
