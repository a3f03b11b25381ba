import type * as z from 'zod'
import { ApiError, type Issue } from '../errors.ts'
import { isTooDeep } from '../request/json.ts'
import { allTime } from '../request/named-period.ts'
import type { Period } from '../request/period.ts'
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
import { type Call, inputOf, listedTool, moreRows, type ReportAnswer, type Tool, type ToolQuery } from './tool.ts'
import { tools } from './tools/index.ts'

/**
 * One request to `/mcp`, and the Worker functions that its tools need. They are passed in because each isolate would
 * start more slowly if this lazily loaded part imported a module of the whole Worker.
 */
interface McpRequest {
  readonly headers: Headers
  readonly requestId: string
  /** The moment of the request, in milliseconds since 1970. */
  readonly now: number
  /** The milliseconds since `now`. */
  readonly elapsed: () => number
  readonly readText: () => Promise<string>
  /** Counts a tool call. Throws a 429 above the limit. */
  readonly begin: (tool: string) => Promise<void>
  /** Sends a GET request to the API as the same caller. */
  readonly get: (path: string) => Promise<Response>
  /** How many rows ClickHouse has read so far; undefined if this number would reveal hidden data. */
  readonly rowsRead: () => number | undefined
  readonly issuesOf: (error: z.core.$ZodError) => readonly Issue[]
  readonly logFailure: (error: unknown) => void
}

interface McpAnswer {
  readonly status: 200 | 202 | 400 | 404 | 415
  /** The response as JSON; undefined for a message that needs none. */
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
  if (isTooDeep(text)) throw new ProtocolRefusal(rpc.parseError, 'The JSON is nested too deeply.')
  try {
    return JSON.parse(text)
  } catch {
    throw new ProtocolRefusal(rpc.parseError, 'The body is not JSON.')
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

/** Runs one tool. A refusal is also returned as a result, so that the model can read it. */
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

/** The schema of each tool's arguments, created at its first call. */
const schemas = new Map<Tool, ReturnType<typeof inputOf>>()

async function answerTool(tool: Tool, given: unknown, request: McpRequest): Promise<ToolResult> {
  const schema = schemas.get(tool) ?? inputOf(tool)
  schemas.set(tool, schema)
  const { data, error } = schema.safeParse(given)
  if (error) throw invalidInput(request.issuesOf(error))
  const input = data as ToolInput & AskedRange
  const first = input.startAt === allTime ? await firstEvent(input, request) : undefined
  const range = rangeOf(input, request.now, first)
  const { call, asked } = reportsFor(input, range, request)
  const answer = await tool.answer(input, call)
  const hint = answer.hint ?? hintOf(tool, input, answer, asked)
  const rowsRead = request.rowsRead()
  return fitted(
    {
      ...(range && { range: rangeAnswer({ ...range, period: asked.period ?? range.period }, input.compare) }),
      ...answer,
      units: tool.units,
      cost: { reports: asked.reports, ...(rowsRead !== undefined && { rowsRead }), milliseconds: request.elapsed() },
      ...(hint !== undefined && { hint }),
    },
    Object.keys(schema.shape),
  )
}

/** The time of the first event that the caller may see, in milliseconds since 1970. `all_time` begins there. */
async function firstEvent(input: ToolInput, request: McpRequest): Promise<number | undefined> {
  const { body } = await reportsFor(input, undefined, request).call.look<{ startDate: string | null }>('daterange')
  return body.startDate === null ? undefined : Date.parse(body.startDate)
}

/** Suggests the next request if an answer is empty, or if one of its lists has more rows. */
function hintOf({ time }: Tool, { limit }: ToolInput, answer: ToolResult, asked: Asked): string | undefined {
  if (time === 'range' && isNothing(answer)) return nothingFound
  return limit !== undefined && asked.isCut && !('hasMore' in answer) ? moreRows(limit) : undefined
}

const nothingFound =
  'Nothing found. get_website_daterange shows when there are events, get_website_metrics which values filters can use.'

/** Numbers that are copied from the input, so even an empty answer has them. */
const repeated = new Set(['page', 'pageSize', 'limit', 'offset'])

/** Whether all figures are 0 and all lists empty. */
const isNothing = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).every(([name, part]) => repeated.has(name) || isNothing(part))
    : typeof value !== 'number' || value === 0

/** The arguments that several tools share. */
interface ToolInput {
  readonly websiteId?: unknown
  readonly filters?: unknown
  readonly compare?: 'prev' | 'yoy'
  readonly limit?: number
}

/** Facts about the reports that a call requested. */
interface Asked {
  reports: number
  /** Whether a report has more rows than it returned. */
  isCut: boolean
  /** The range that the reports used, if it differs from the input's. */
  period?: Period
}

/** The reports that a tool may request. They are GET requests to the API, which checks and counts them as usual. */
function reportsFor(
  { websiteId, filters }: ToolInput,
  range: Range | undefined,
  request: McpRequest,
): { readonly call: Call; readonly asked: Asked } {
  const asked: Asked = { reports: 0, isCut: false }
  async function get<Body>(path: string, query: ToolQuery = {}): Promise<ReportAnswer<Body>> {
    asked.reports++
    const parameters = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, String(value))
    const response = await request.get(`/api/${path}?${parameters}`)
    const body = (await response.json()) as Body
    if (!response.ok) throw refusedReport(response.status, body)
    const total = Number(response.headers.get('x-total-count') ?? Number.NaN)
    if (Array.isArray(body) && total > body.length) asked.isCut = true
    const [, startAt, endAt] = /^(\d+)-(\d+)$/.exec(response.headers.get('x-range') ?? '') ?? []
    if (startAt !== undefined) asked.period = { startAt: Number(startAt), endAt: Number(endAt) }
    return { body, total }
  }
  const ofInput: ToolQuery = {
    ...(range && { startAt: range.period.startAt, endAt: range.period.endAt, timezone: range.zone }),
    ...(filters !== undefined && { filters: JSON.stringify(filters) }),
  }
  const look: Call['look'] = (path, query) => get(`websites/${websiteId}/${path}`, query)
  const read: Call['read'] = (path, query) => look(path, { ...ofInput, ...query })
  const isInRange = range !== undefined
  return { call: { get, look, read, isInRange, isFiltered: filters !== undefined }, asked }
}

/** The error that the model sees. It hides the details of unexpected errors, which are logged. */
function toolErrorOf(error: unknown, { requestId, logFailure }: McpRequest): ToolError {
  if (error instanceof ToolError) return error
  if (error instanceof ApiError) return refusedReport(error.status, error.body(requestId))
  logFailure(error)
  return new ToolError('unknown', 'Something went wrong on our side.')
}
