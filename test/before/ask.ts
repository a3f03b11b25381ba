import { createHash } from 'node:crypto'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import type { Caller } from './names.ts'
import { secrets } from './names.ts'
import { shapesOf } from './openapi.ts'
import { type Asked, cached, down, limited, reads, writes } from './requests.ts'
import { headersOf, newWorld, type Way } from './world.ts'

/** One answer, without what is different each time. */
export interface Answer {
  /** What was running: the Worker as it is, with its cache, with no limit left, or without ClickHouse. */
  readonly phase: string
  readonly method: string
  /** As it is in the list of requests; `#1` stands behind the first that followed it. */
  readonly path: string
  readonly caller: Caller
  /** The headers that were sent, but for who asked, and the body. */
  readonly sent: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Raw {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

/** Only for requests without a body: where one is refused unread, the connection ends. */
const keptAlive = new Agent({ keepAlive: true })

function send(url: string, method: string, path: string, headers: Record<string, string>, body?: string): Promise<Raw> {
  const { hostname, port } = new URL(url)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  return new Promise((resolve, reject) => {
    const agent = body === undefined && !('content-length' in headers) ? keptAlive : false
    const options = { hostname, port, method, path, agent, headers: { ...headers, ...length } }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) }),
      )
      response.on('error', reject)
    })
    sent.on('error', (error) => reject(new Error(`${method} ${path.slice(0, 200)}: ${error.message}`)))
    sent.end(body)
  })
}

/** How an answer was carried, and when. */
const ofTheConnection = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding']

const madeId = /[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}/g
const isAboutNow = (moment: number): boolean => Math.abs(moment - Date.now()) < 2 * 86_400_000

/** Puts names in the place of what is different each time: the same name for the same thing. */
function namer() {
  const names = new Map<string, string>()
  const named = (kind: string) => (value: string) => {
    const name = names.get(value) ?? `<${kind} ${names.size + 1}>`
    names.set(value, name)
    return name
  }
  const member = (kind: string) => (_: string, before: string, value: string) => `${before}${named(kind)(value)}"`
  return (text: string): string =>
    text
      .replace(/("requestId":")[\da-f-]{36}"/g, '$1<request>"')
      .replace(/clickhouse;dur=\d+/g, 'clickhouse;dur=<ms>')
      .replace(/("age":")\d+"/g, '$1<seconds>"')
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z/g, (text) =>
        isAboutNow(Date.parse(text)) ? '<now>' : text,
      )
      .replace(/\b1[\d]{12}\b/g, (text) => (isAboutNow(Number(text)) ? '<ms now>' : text))
      .replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>')
      .replace(/("key":")(api_[\w-]{43})"/g, member('key'))
      .replace(/("keyPrefix":")(api_(?!seed)[\w-]{8})"/g, '$1<prefix>"')
      .replace(/("(?:slug|shareId)":")([A-Za-z\d]{16})"/g, member('slug'))
      .replace(/("accessCode":")(team_[A-Za-z\d]{16})"/g, member('code'))
      .replace(madeId, named('id'))
}

type Variables = Map<string, string>

const withVariables = (text: string, variables: Variables): string =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = variables.get(name)
    if (value === undefined) throw new Error(`Nothing was kept as ${name}.`)
    return value
  })

/** `0.id` of an answer in JSON. */
const memberOf = (json: unknown, path: string): string =>
  String(path.split('.').reduce((value, name) => (value as Record<string, unknown> | undefined)?.[name], json))

interface Asking {
  readonly url: string
  readonly phase: string
  readonly variables: Variables
  readonly unnamed: (text: string) => string
}

/** Asks, and asks again where the request says so. */
async function ask(asked: Asked, { url, phase, variables, unnamed }: Asking): Promise<Answer[]> {
  const filled = (text: string): string => withVariables(text, variables)
  const json = asked.body !== undefined && typeof asked.body !== 'string'
  const body = json ? JSON.stringify(asked.body) : (asked.body as string | undefined)
  const more = Object.entries(asked.headers ?? {}).map(([name, value]) => [name, filled(value)] as const)
  const headers = {
    ...headersOf(asked.caller),
    ...(json && { 'content-type': 'application/json' }),
    ...Object.fromEntries(more),
  }
  const { method, caller, again } = asked
  const sent = `${JSON.stringify(asked.headers ?? {})} ${body ?? ''}`

  const one = async (place: number, path: string, others: Record<string, string> = {}) => {
    const raw = await send(url, method, path, { ...headers, ...others }, body && filled(body))
    const answer: Answer = {
      phase,
      method,
      path: place === 0 ? asked.path : `${asked.path}#${place}`,
      caller,
      sent,
      status: raw.status,
      headers: headersShown(raw.headers, (text) => unnamed(text.replaceAll(url, 'http://weir'))),
      body: bodyShown(raw, (text) => unnamed(text.replaceAll(url, 'http://weir'))),
    }
    return { raw, answer }
  }

  const path = filled(asked.path)
  let { raw, answer } = await one(0, path)
  const answers = path === '/openapi.json' && method === 'GET' ? described(answer, raw) : [answer]
  for (const [name, member] of Object.entries(asked.keep ?? {})) {
    variables.set(name, memberOf(JSON.parse(raw.bytes.toString()), member))
  }
  if (again === 'etag') answers.push((await one(1, path, { 'if-none-match': raw.headers.etag ?? '' })).answer)
  else {
    for (let place = 1; place <= (again?.next ?? 0); place++) {
      const link = /^<([^>]+)>/.exec(String(raw.headers.link ?? ''))?.[1]
      if (link === undefined) break
      ;({ raw, answer } = await one(place, link.replace(url, '')))
      answers.push(answer)
    }
  }
  return answers
}

function headersShown(headers: IncomingHttpHeaders, unnamed: (text: string) => string): Record<string, string> {
  const shown = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const text = String(value)
    if (ofTheConnection.includes(name)) return []
    if (name === 'age') return [[name, '<seconds>']]
    if (name === 'x-request-id') return [[name, text.replace(madeId, '<request>')]]
    return [[name, unnamed(text)]]
  })
  return Object.fromEntries(shown.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Bytes that are no text by their hash. */
function bodyShown({ bytes }: Raw, unnamed: (text: string) => string): string {
  const text = bytes.toString()
  return Buffer.from(text).equals(bytes) ? unnamed(text) : `${bytes.length} bytes ${hashOf(bytes)}`
}

const hashOf = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** The OpenAPI document: an answer for each of its operations. */
const described = (answer: Answer, { bytes }: Raw): Answer[] => [
  { ...answer, body: '' },
  ...shapesOf(JSON.parse(bytes.toString())).map(([operation, shape]) => ({
    ...answer,
    path: `${answer.path}#${operation}`,
    headers: {},
    body: shape,
  })),
]

/** So many requests are under way at the same time where none changes anything: an account has four exports at once. */
const atOnce = 3

async function askAll(list: readonly Asked[], width: number, asking: Asking): Promise<Answer[]> {
  const answers: Answer[][] = []
  let next = 0
  const worker = async () => {
    while (next < list.length) {
      const place = next++
      answers[place] = await ask(list[place]!, asking)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return answers.flat()
}

/** Every request of the list, answered by the code as it is. */
export async function answers(): Promise<Answer[]> {
  const world = await newWorld()
  const unnamed = namer()
  const variables = new Map([['operator', secrets.key.operator!]])
  const phase = async (name: string, way: Way, list: readonly Asked[], width = 1) => {
    const [url, now] = [await world.start(way), Date.now()]
    variables.set('now', String(now)).set('dayAgo', String(now - 86_400_000))
    return askAll(list, width, { url, phase: name, variables, unnamed })
  }
  try {
    const found = [...(await phase('plain', 'plain', reads, atOnce)), ...(await phase('writes', 'plain', writes))]
    found.push(...(await phase('cached', 'cached', cached)), ...(await phase('limited', 'limited', limited)))
    await world.stopEvents()
    return [...found, ...(await phase('down', 'plain', down))]
  } finally {
    keptAlive.destroy()
    await world.close()
  }
}

/** Bodies longer than this, in characters, are kept by their beginning and their hash. */
const longest = 2000

/** A body as it is recorded. */
export const shortened = (body: string): string =>
  body.length <= longest ? body : `${body.slice(0, 500)}… ${body.length} characters, SHA-256 ${hashOf(body)}`
