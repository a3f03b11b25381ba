import { describedIn } from '../support/openapi.ts'
import type { RawReply } from '../support/raw.ts'
import { wronglyShared } from '../support/shared-cache.ts'
import type { FuzzRequest } from './draw.ts'

/** What is wrong with a response, or undefined. */
export async function wrongWith(request: FuzzRequest, reply: RawReply): Promise<string | undefined> {
  if (reply.status >= 500 && !isTooMuchAsked(request, reply)) return 'a failure of the server'
  if (secretIn(request, reply)) return 'a marker of others'
  if (isAnsweredWrongly(request, reply)) return 'an answer to a credential that opens nothing'
  const headers = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)])
  const { method, path: url } = request
  return wronglyShared({ method, url }, { status: reply.status, headers }) ?? wrongBody(request, reply)
}

/** Whether the request may fail, because no answer is known to reach `minAsOf` or its deadline is too short. */
const isTooMuchAsked = ({ path, body }: FuzzRequest, { status, headers }: RawReply): boolean =>
  status === 503 && headers['retry-after'] !== undefined && /\b(minAsOf|deadline)\b/.test(`${path} ${body}`)

function secretIn(request: FuzzRequest, reply: RawReply): boolean {
  const whole = `${JSON.stringify(reply.headers)} ${notPublic(request, reply)}`
  return request.caller.secrets.some((secret) => whole.includes(secret))
}

/** The response without the recorders' configurations, which every visitor's browser has. */
function notPublic({ operation, method }: FuzzRequest, { status, text }: RawReply): string {
  if (operation.name === 'getWebsiteRecorderConfig') return ''
  if (operation.path !== '/api/read' || method !== 'POST' || status !== 200) return text
  const { answers } = JSON.parse(text) as { answers: readonly { readonly path: string }[] }
  const isConfiguration = /^\/api\/websites\/[^/?]+\/recorder(\?|$)/
  return JSON.stringify(answers.filter(({ path }) => !isConfiguration.test(path)))
}

function isAnsweredWrongly(request: FuzzRequest, { status }: RawReply): boolean {
  const { caller, operation, method } = request
  return caller.isRefused && isSent(request) && operation.asksWho && method !== 'OPTIONS' && status < 400
}

/** Whether the request still contains its credential. A spoiler may have changed one in the query string. */
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
    return `an answer that does not match the document: ${error instanceof Error ? error.message : error}`
  }
}
