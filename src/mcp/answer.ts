import type * as z from 'zod'
import { ApiError, type Issue } from '../errors.ts'
import { isTooDeep } from '../request/json.ts'
import { invalidInput, refusedReport, ToolError } from './errors.ts'
import { fitted } from './fit.ts'
import {
  answerProtocol,
  errorMessage,
  idOf,
  listFields,
  type Message,
  methodNotFound,
  ProtocolRefusal,
  readMessage,
  resultMessage,
  rpc,
} from './protocol.ts'
import { type AskedRange, type Range, rangeAnswer, rangeOf } from './range.ts'
import { type Call, inputOf, listedTool, type ReportAnswer, type Tool, type ToolQuery } from './tool.ts'
import { tools } from './tools/index.ts'

/**
 * One request to `/mcp`, and what its tools need of the Worker. This part is loaded with the first request, and what
 * it imports with it: a module of the whole Worker that it imported would slow the start of each isolate.
 */
export interface McpRequest {
  readonly headers: Headers
  readonly requestId: string
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
  /** Milliseconds since then. */
  readonly elapsed: () => number
  readonly readText: () => Promise<string>
  /** Counts a call of a tool, whose name it gets; 429 over the limit. */
  readonly begin: (tool: string) => Promise<void>
  /** Sends a GET to the API as the same caller. */
  readonly get: (path: string) => Promise<Response>
  /** Rows that ClickHouse read so far. */
  readonly rowsRead: () => number
  readonly issuesOf: (error: z.core.$ZodError) => readonly Issue[]
  readonly logFailure: (error: unknown) => void
}

interface McpAnswer {
  readonly status: 200 | 202 | 400 | 404 | 415
  /** JSON; undefined for a message that needs no answer. */
  readonly body?: object
}

/** Answers one message of the Model Context Protocol. */
export async function answerMessage(request: McpRequest): Promise<McpAnswer> {
  let body: unknown
  try {
    body = await readJson(request)
    const message = readMessage(body, request.headers)
    if (!message) return { status: 202 }
    return { status: 200, body: resultMessage(message, await resultOf(message, request)) }
  } catch (error) {
    if (!(error instanceof ProtocolRefusal)) throw error
    return { status: error.status, body: errorMessage(idOf(body), error) }
  }
}

async function readJson({ headers, readText }: McpRequest): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(headers.get('content-type') ?? '')) {
    throw new ProtocolRefusal(rpc.invalidRequest, 'Send JSON, with Content-Type: application/json.', 415)
  }
  const text = await readText()
  if (isTooDeep(text)) throw new ProtocolRefusal(rpc.parseError, 'The JSON is nested too deep.')
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtocolRefusal(rpc.parseError, 'The body is no JSON.')
  }
}

type ToolResult = Readonly<Record<string, unknown>>

async function resultOf(message: Message, request: McpRequest): Promise<ToolResult> {
  if (message.method === 'tools/list') {
    toolList ??= tools.map(listedTool)
    return { tools: toolList, ...listFields(message) }
  }
  if (message.method === 'tools/call') return callTool(message, request)
  const answer = answerProtocol(message)
  if (answer === undefined) throw methodNotFound(message)
  return answer
}

let toolList: readonly object[] | undefined

/** Runs one tool. What it refuses is a result, which the model reads. */
async function callTool({ params }: Message, request: McpRequest): Promise<ToolResult> {
  const tool = tools.find(({ name }) => name === params.name)
  if (!tool) {
    const names = tools.map(({ name }) => name).join(', ')
    throw new ProtocolRefusal(rpc.invalidParams, `There is no such tool. Tools: ${names}.`, 200)
  }
  try {
    await request.begin(tool.name)
    return resultWith(await answerTool(tool, params.arguments ?? {}, request))
  } catch (error) {
    return { ...resultWith(fitted({ error: toolErrorOf(error, request).body() })), isError: true }
  }
}

const resultWith = (answer: ToolResult): ToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(answer) }],
  structuredContent: answer,
})

/** The schema of each tool's arguments, made at its first call. */
const schemas = new Map<Tool, ReturnType<typeof inputOf>>()

async function answerTool(tool: Tool, given: unknown, request: McpRequest): Promise<ToolResult> {
  const schema = schemas.get(tool) ?? inputOf(tool)
  schemas.set(tool, schema)
  const { data: input, error } = schema.safeParse(given)
  if (error) throw invalidInput(request.issuesOf(error))
  const range = rangeOf(input as AskedRange, request.now)
  const { call, reports } = reportsFor(input, range, request)
  const answer = await tool.answer(input, call)
  return fitted({
    ...(range && { range: rangeAnswer(range, (input as { compare?: 'prev' | 'yoy' }).compare) }),
    ...answer,
    units: tool.units,
    cost: { reports: reports(), rowsRead: request.rowsRead(), milliseconds: request.elapsed() },
  })
}

/** The reports that a tool may ask: GETs of the API itself, with all that the API checks and counts. */
function reportsFor(
  { websiteId, filters }: { readonly websiteId?: unknown; readonly filters?: unknown },
  range: Range | undefined,
  request: McpRequest,
): { readonly call: Call; readonly reports: () => number } {
  let asked = 0
  async function get<Body>(path: string, query: ToolQuery = {}): Promise<ReportAnswer<Body>> {
    asked++
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
    const response = await request.get(`/api/${path}?${parameters}`)
    const body = (await response.json()) as Body
    if (!response.ok) throw refusedReport(response.status, body)
    return { body, total: Number(response.headers.get('x-total-count') ?? Number.NaN) }
  }
  const ofInput: ToolQuery = {
    ...(range && { startAt: range.period.startAt, endAt: range.period.endAt, timezone: range.zone }),
    ...(filters !== undefined && { filters: JSON.stringify(filters) }),
  }
  const look: Call['look'] = (path, query) => get(`websites/${websiteId}/${path}`, query)
  const read: Call['read'] = (path, query) => look(path, { ...ofInput, ...query })
  return { call: { get, look, read, isInRange: range !== undefined }, reports: () => asked }
}

/** The error that the model sees. What it should not see goes to the log. */
function toolErrorOf(error: unknown, { requestId, logFailure }: McpRequest): ToolError {
  if (error instanceof ToolError) return error
  if (error instanceof ApiError) return refusedReport(error.status, error.body(requestId))
  logFailure(error)
  return new ToolError('unknown', 'Something went wrong on our side.')
}
