import { describedIn } from '../support/openapi.ts'
import type { RawReply } from '../support/raw.ts'
import type { FuzzRequest } from './draw.ts'

/** The fault of an answer; undefined if it has none. */
export async function wrongWith(request: FuzzRequest, reply: RawReply): Promise<string | undefined> {
  if (reply.status >= 500 && !isTooMuchAsked(request, reply)) return 'a failure of the server'
  if (secretIn(request, reply)) return 'a marker of others'
  if (isAnsweredWrongly(request, reply)) return 'an answer to a credential that opens nothing'
  return wrongBody(request, reply)
}

/** Without heartbeats no answer is known to be as fresh as `minAsOf` asks. A deadline may be too short. */
const isTooMuchAsked = ({ path, body }: FuzzRequest, { status, headers }: RawReply): boolean =>
  status === 503 && headers['retry-after'] !== undefined && /\b(minAsOf|deadline)\b/.test(`${path} ${body}`)

/** The configuration of a recorder is in every visitor's browser. */
const isPublic = ({ operation }: FuzzRequest): boolean => operation.name === 'getWebsiteRecorderConfig'

function secretIn(request: FuzzRequest, { headers, text }: RawReply): boolean {
  if (isPublic(request)) return false
  const whole = `${JSON.stringify(headers)} ${text}`
  return request.caller.secrets.some((secret) => whole.includes(secret))
}

function isAnsweredWrongly(request: FuzzRequest, { status }: RawReply): boolean {
  const { caller, operation, method } = request
  return caller.isRefused && isSent(request) && operation.asksWho && method !== 'OPTIONS' && status < 400
}

/** Whether the credential is still in the request: a credential in the query string may be changed as all in it. */
const isSent = ({ caller, path }: FuzzRequest): boolean =>
  Object.entries(caller.query ?? {}).every(([name, value]) =>
    new URL(path, 'http://localhost').searchParams.getAll(name).includes(value),
  )

async function wrongBody({ method, path, operation }: FuzzRequest, reply: RawReply): Promise<string | undefined> {
  const { status, headers, text } = reply
  if (method === 'HEAD' || method === 'OPTIONS') return text === '' ? undefined : `a body with ${method}`
  if (status === 304) return text === '' && operation.statuses.includes('304') ? undefined : 'a wrong 304'
  if (status === 202) return text === '' && operation.statuses.includes('202') ? undefined : 'a wrong 202'
  const type = headers['content-type'] ?? ''
  const isPrice = /[?&]dryRun=(?:1|true)(?:&|$)/.test(path) && type === 'application/vnd.weir.price+json'
  if (status === 200 && !isPrice && !`${type}`.startsWith('application/json')) {
    const isExport = headers['content-disposition'] !== undefined
    return isExport ? undefined : `an answer of the type ${type}`
  }
  try {
    await describedIn(method, path, status, JSON.parse(text))
    return undefined
  } catch (error) {
    return `an answer off the document: ${error instanceof Error ? error.message : error}`
  }
}
