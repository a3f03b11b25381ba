import { version } from '../version.ts'
import { instructions } from './instructions.ts'

/**
 * The protocol around the tools: JSON-RPC over Streamable HTTP, without sessions, each request in one POST. Revisions
 * up to 2025-11-25 begin with `initialize`; since 2026-07-28, each request contains its revision in `_meta` and in a
 * header.
 */

/** Revisions that `initialize` may agree on, newest first. */
const handshakeVersions = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

/** The revision in which requests need no `initialize`. */
const statelessVersion = '2026-07-28'

const prefix = 'io.modelcontextprotocol/'
const versionKey = `${prefix}protocolVersion`
const capabilitiesKey = `${prefix}clientCapabilities`
const clientKey = `${prefix}clientInfo`

/** Error codes of JSON-RPC and of the protocol. */
export const rpc = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  headerMismatch: -32_020,
  unsupportedVersion: -32_022,
} as const

type Id = string | number | null
type Fields = Readonly<Record<string, unknown>>

/** A refusal at the protocol level, as opposed to a tool error. */
export class ProtocolRefusal extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly status: 200 | 400 | 404 | 415 = 400,
    readonly data?: Fields,
  ) {
    super(message)
  }
}

export interface Message {
  readonly id: string | number
  readonly method: string
  readonly params: Fields
  /** Whether the request uses the revision without `initialize`. */
  readonly isStateless: boolean
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The id for the answer: the request's id, or null. */
export const idOf = (body: unknown): Id =>
  isFields(body) && typeof body.method === 'string' && isId(body.id) ? body.id : null

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isInteger(id)

/** Reads one message. Returns a request, or undefined if the message needs no answer. */
export function readMessage(body: unknown, headers: Headers): Message | undefined {
  if (Array.isArray(body)) throw new ProtocolRefusal(rpc.invalidRequest, 'Send one message per request: no batches.')
  if (!isMessage(body)) throw new ProtocolRefusal(rpc.invalidRequest, 'The body is not a JSON-RPC 2.0 message.')
  const { method, id, params = {} } = body
  if (typeof method !== 'string') return undefined
  const isStateless = checkVersion(method, params as Fields, id !== undefined, headers)
  return isId(id) ? { id, method, params: params as Fields, isStateless } : undefined
}

/** A request, a notification, or a response. */
function isMessage(body: unknown): body is Fields {
  if (!isFields(body) || body.jsonrpc !== '2.0') return false
  const { method, id, params, result, error } = body
  if (method === undefined) return isId(id) && (isFields(result) || isFields(error))
  return typeof method === 'string' && (id === undefined || isId(id)) && (params === undefined || isFields(params))
}

const headerOf = (headers: Headers, name: string): string | undefined => headers.get(name)?.trim()

/** Whether a message uses the revision without `initialize`. Refuses unknown revisions. */
function checkVersion(method: string, params: Fields, isRequest: boolean, headers: Headers): boolean {
  const header = headerOf(headers, 'mcp-protocol-version')
  const meta = isFields(params._meta) ? params._meta : {}
  const claimed = meta[versionKey]
  const isNewHeader = header !== undefined && header >= statelessVersion
  if (claimed === undefined) {
    if (isNewHeader && isRequest) {
      throw method === 'initialize'
        ? mismatch(`initialize belongs to revisions before ${statelessVersion}, and the header says ${header}`)
        : new ProtocolRefusal(rpc.invalidParams, `params._meta must contain ${versionKey} and ${capabilitiesKey}.`)
    }
    // `initialize` negotiates its revision below, regardless of the header.
    if (header !== undefined && method !== 'initialize' && !isNewHeader) checkKnown(header, handshakeVersions)
    return false
  }
  if (typeof claimed !== 'string') throw new ProtocolRefusal(rpc.invalidParams, `${versionKey} must be a text.`)
  if (isRequest) checkEnvelope(meta)
  if (header !== undefined && header !== claimed) {
    throw mismatch(`params._meta says revision ${claimed}, and MCP-Protocol-Version ${header}`)
  }
  checkKnown(claimed, [statelessVersion])
  if (isRequest) checkHeaders(method, params, headers)
  return true
}

function checkKnown(requested: string, supported: readonly string[]): void {
  if (supported.includes(requested)) return
  const all = [statelessVersion, ...handshakeVersions].join(', ')
  throw new ProtocolRefusal(
    rpc.unsupportedVersion,
    `Unsupported protocol version ${requested.slice(0, 50)}. Supported: ${all}.`,
    400,
    { supported, requested: requested.slice(0, 50) },
  )
}

function checkEnvelope(meta: Fields): void {
  const client = meta[clientKey]
  if (!isFields(meta[capabilitiesKey])) {
    throw new ProtocolRefusal(rpc.invalidParams, `params._meta must contain ${capabilitiesKey}, an object.`)
  }
  if (
    client !== undefined &&
    !(isFields(client) && ['name', 'version'].every((key) => typeof client[key] === 'string'))
  ) {
    throw new ProtocolRefusal(rpc.invalidParams, `${clientKey} must have a name and a version.`)
  }
}

/** Headers repeat the revision, the method and the tool's name, for proxies between client and server. */
function checkHeaders(method: string, { name }: Fields, headers: Headers): void {
  if (headerOf(headers, 'mcp-protocol-version') === undefined)
    throw mismatch('the header MCP-Protocol-Version is missing')
  if (headerOf(headers, 'mcp-method') !== method) throw mismatch(`the header Mcp-Method must be ${method}`)
  if (method !== 'tools/call' || typeof name !== 'string') return
  if (decoded(headerOf(headers, 'mcp-name')) !== name) throw mismatch('the header Mcp-Name must be params.name')
}

/** The decoded value of a header. Clients send values that are not ASCII as Base64. */
function decoded(header: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(header ?? '') ?? []
  if (base64 === undefined) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)))
  } catch {
    return undefined
  }
}

const mismatch = (what: string): ProtocolRefusal =>
  new ProtocolRefusal(rpc.headerMismatch, `The headers and the body disagree: ${what}.`)

const serverInfo = { name: 'weir', title: 'Weir analytics', version }
const capabilities = { tools: {} }

/** How long a client may cache data that is constant within a version, in milliseconds. */
const keptFor = 300_000

/** Answers the methods of the protocol; undefined for other methods. */
export function answerProtocol({ method, params, isStateless }: Message): Fields | undefined {
  if (isStateless) {
    return method === 'server/discover'
      ? { supportedVersions: [statelessVersion], capabilities, instructions, ttlMs: keptFor, cacheScope: 'public' }
      : undefined
  }
  if (method === 'ping') return {}
  if (method !== 'initialize') return undefined
  const asked = params.protocolVersion
  if (typeof asked !== 'string') throw new ProtocolRefusal(rpc.invalidParams, 'protocolVersion must be a text.', 200)
  const protocolVersion = handshakeVersions.find((known) => known === asked) ?? handshakeVersions[0]
  return { protocolVersion, capabilities, serverInfo, instructions }
}

/** The additional fields of a list for newer clients. */
export const listFields = ({ isStateless }: Message): Fields =>
  isStateless ? { ttlMs: keptFor, cacheScope: 'public' } : {}

/** The JSON of a result. For newer clients, it also contains its type and the server's name. */
export const resultMessage = ({ id, isStateless }: Message, result: Fields): Fields => ({
  jsonrpc: '2.0',
  id,
  result: isStateless ? { ...result, resultType: 'complete', _meta: { [`${prefix}serverInfo`]: serverInfo } } : result,
})

export const errorMessage = (id: Id, { code, message, data }: ProtocolRefusal): Fields => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

/** For an unknown method, older clients expect the error with status 200, and newer clients with 404. */
export const methodNotFound = ({ method, isStateless }: Message): ProtocolRefusal =>
  new ProtocolRefusal(rpc.methodNotFound, `There is no method ${method.slice(0, 100)}.`, isStateless ? 404 : 200)
