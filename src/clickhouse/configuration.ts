import * as z from 'zod'
import { made } from '../made.ts'
import { continents, type Position } from './position.ts'
import { type Connection, parseServer, type ServerVariables } from './server.ts'

/** A replica as configured in the variables. */
export interface ConfiguredReplica {
  readonly name: string
  /** Empty if `CLICKHOUSE_URL` configures a single server. */
  readonly place: Position
  readonly server: Connection
  /**
   * The connection for readers of shares and public websites, who have a separate user; undefined if none is
   * configured.
   */
  readonly visitor?: Connection | undefined
}

/** The variables that locate ClickHouse, and the secrets that a list refers to. */
interface ReplicaVariables extends ServerVariables {
  readonly CLICKHOUSE_VISITOR_USER?: string | undefined
  readonly CLICKHOUSE_VISITOR_PASSWORD?: string | undefined
  /** A list of replicas, either parsed or as JSON. It replaces `CLICKHOUSE_URL`. */
  readonly CLICKHOUSE_REPLICAS?: unknown
}

/** The name of the single server that `CLICKHOUSE_URL` configures. */
const onlyName = 'clickhouse'

/** The replicas, in the order of the configuration. Throws an error that says which entry is wrong. */
export function configuredReplicas(variables: ReplicaVariables): readonly ConfiguredReplica[] {
  const { CLICKHOUSE_REPLICAS: list } = variables
  if (list === undefined || list === '') {
    const server = connectionOf(variables)
    return [{ name: onlyName, place: {}, server, visitor: visitorOf(server, variables) }]
  }
  const entries = made(List).safeParse(typeof list === 'string' ? parsed(list) : list).data
  if (!entries) throw wrong('It is not a list. Give [{"name", "url", "continent", …}, …].')
  if (entries.length === 0) throw wrong('It has no entry.')
  const names = new Set<string>()
  return entries.map((given, index) => {
    const told = `Entry ${index + 1}${nameIn(given)}`
    const read = made(ReplicaEntry).safeParse(given)
    if (!read.success) throw wrong(`${told}: ${messageOf(read.error)}`)
    const entry = read.data
    if (names.has(entry.name)) throw wrong(`${told}: another entry has this name.`)
    names.add(entry.name)
    const server = serverIn(entry, told, variables)
    const password = entry.visitorPassword && secretIn(variables, entry.visitorPassword, told)
    const visitor = visitorOf(server, variables, password)
    return { name: entry.name, place: placeIn(entry, told), server, visitor }
  })
}

const List = () => z.array(z.unknown())

const variable = () =>
  z.string().regex(/^[A-Z][A-Z0-9_]{0,99}$/, { error: 'Must be the name of a variable or secret.' })

const degrees = (most: number) => {
  const error = `Must be a number from ${-most} to ${most}.`
  return z.number({ error }).min(-most, { error }).max(most, { error }).optional()
}

const ReplicaEntry = () =>
  z.strictObject({
    name: z
      .string({ error: 'Give each replica a name.' })
      .regex(/^[\w.-]{1,40}$/, { error: 'Must be 1 to 40 letters, digits, dots, - or _.' }),
    url: z.string({ error: 'Give scheme, host and port, such as https://eu.example:8443.' }),
    user: variable().optional(),
    password: variable().optional(),
    visitorPassword: variable().optional(),
    database: z.string().min(1).optional(),
    continent: z.enum(continents, { error: `Must be one of ${continents.join(', ')}.` }).optional(),
    colo: z
      .string()
      .regex(/^[A-Z]{3}$/, { error: 'Must be an airport code, such as FRA.' })
      .optional(),
    latitude: degrees(90),
    longitude: degrees(180),
  })

type ReplicaEntry = z.infer<ReturnType<typeof ReplicaEntry>>

function placeIn({ continent, colo, latitude, longitude }: ReplicaEntry, told: string): Position {
  if ((latitude === undefined) !== (longitude === undefined)) throw wrong(`${told}: give both latitude and longitude.`)
  if (latitude === undefined && continent === undefined) {
    throw wrong(`${told}: its position is missing. Give latitude and longitude, or continent.`)
  }
  return { continent, colo, latitude, longitude }
}

function serverIn(
  { url, user, password, database }: ReplicaEntry,
  told: string,
  variables: ReplicaVariables,
): Connection {
  if (!URL.canParse(url)) throw wrong(`${told}: url is not a URL.`)
  const parsedUrl = new URL(url)
  const { protocol, hostname, origin, href } = parsedUrl
  if (!isWeb(parsedUrl)) throw wrong(`${told}: url must begin with https://.`)
  if (href !== `${origin}/`) {
    throw wrong(`${told}: url must contain only scheme, host and port. Put credentials in user and password.`)
  }
  if (protocol === 'http:' && !isLoopback(hostname)) {
    throw wrong(`${told}: url must begin with https://. Without TLS only this machine's own address is allowed.`)
  }
  return {
    url: origin,
    username: user ? secretIn(variables, user, told) : variables.CLICKHOUSE_USER || 'default',
    password: password ? secretIn(variables, password, told) : (variables.CLICKHOUSE_PASSWORD ?? ''),
    database: database ?? databaseIn(variables),
  }
}

/** The database of `CLICKHOUSE_DATABASE`, or of `CLICKHOUSE_URL`. */
const databaseIn = (variables: ReplicaVariables): string =>
  variables.CLICKHOUSE_URL ? connectionOf(variables).database : variables.CLICKHOUSE_DATABASE || 'default'

/** The ClickHouse user for readers of shares and public websites, created by `sql/access`. */
const visitorName = 'weir_visitor'

function visitorOf(
  server: Connection,
  { CLICKHOUSE_VISITOR_USER: user, CLICKHOUSE_VISITOR_PASSWORD: common }: ReplicaVariables,
  password = common,
): Connection | undefined {
  return user || password ? { ...server, username: user || visitorName, password: password ?? '' } : undefined
}

function secretIn(variables: ReplicaVariables, name: string, told: string): string {
  const value = (variables as Readonly<Record<string, unknown>>)[name]
  if (typeof value === 'string' && value !== '') return value
  throw wrong(`${told}: there is no variable or secret ${name}.`)
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'http:'

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)

function connectionOf(variables: ReplicaVariables): Connection {
  const { CLICKHOUSE_URL: url = '' } = variables
  if (!URL.canParse(url) || !isWeb(new URL(url))) {
    throw new Error('CLICKHOUSE_URL is not a URL. Give scheme, host and port, such as https://host:8443.')
  }
  const { timeout: _, ...connection } = parseServer(variables)
  return connection
}

const wrong = (message: string): Error => new Error(`CLICKHOUSE_REPLICAS: ${message}`)

const nameIn = (entry: unknown): string => {
  const name = (entry as { name?: unknown } | null)?.name
  return typeof name === 'string' ? ` (${JSON.stringify(name.slice(0, 40))})` : ''
}

function messageOf({ issues }: z.ZodError): string {
  const [{ path, message } = { path: [], message: 'It is not valid.' }] = issues
  return path.length > 0 ? `${path.join('.')}: ${message}` : message
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw wrong('It is not JSON.')
  }
}
