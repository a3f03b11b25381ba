import { type Answer, type Input, type OperationId, type WeirClient, WeirError, weirClient } from '@weir/client'
import type { Access } from './access.ts'
import { line } from './line.ts'
import {
  type Credential,
  type Opening,
  openingOfOwn,
  openingOfPublic,
  openingOfShare,
  type Subject,
} from './opening.ts'

/** A question to the API. Questions with the same key have the same answer. */
export interface Question<Value> {
  readonly key: string
  /** The key without the end of a current period, so that the same question has the same topic a minute later. */
  readonly topic: string
  readonly ask: (signal: AbortSignal) => Promise<Value>
}

/**
 * On the server, share readers may run two statements at a time, and each request times out after five seconds. The
 * page therefore sends only three requests at a time, in its own order, so that none waits long on the server.
 */
const inLine = line(3)

/** The title, the figures and the chart come first, then their comparisons, then all other questions. */
const ranks = { first: 0, compared: 1, others: 2 } as const

/** How a question is sent: its rank, and a time in milliseconds since 1970 that is part of its key. */
interface Asking {
  readonly rank?: keyof typeof ranks
  readonly moment?: number | undefined
  /** The version of the owner's saved objects. If it changes, the question is sent again. */
  readonly edition?: number | string
}

const first: Asking = { rank: 'first' }

/** A named period that includes now counts as a new period each minute. */
const thisMinute = (): number => Math.floor(Date.now() / 60_000)

/**
 * The ages of outdated answers, in seconds, by answer body. The server sends an outdated answer if it has no newer one.
 */
const ages = new WeakMap<object, number>()

/** The age in seconds of an outdated answer; undefined for other answers. */
export const ageOf = (body: unknown): number | undefined =>
  typeof body === 'object' && body !== null ? ages.get(body) : undefined

/** Stores the age of an outdated answer, in seconds. */
export const markAge = (body: unknown, seconds: number): void => {
  if (typeof body === 'object' && body !== null) ages.set(body, seconds)
}

const withAge =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init)
    if (response.headers.get('x-cache') !== 'STALE') return response
    const age = Number(response.headers.get('age') ?? 0)
    const json = response.json.bind(response)
    response.json = async () => {
      const body = await json()
      markAge(body, age)
      return body
    }
    return response
  }

const clientWith = ({ fetch: send = fetch, ...credential }: Credential): WeirClient =>
  weirClient({ url: location.origin, ...credential, fetch: withAge(send) })

/** Requests what this access opens. */
export async function openingBy(access: Access): Promise<Opening> {
  if (access.by === 'key') {
    const { subject, key, fetch } = access
    const credential = { key, ...(fetch && { fetch }) }
    // If a website is unknown or closed, this request should fail, rather than those of all cards.
    await clientWith(credential).getWebsite({ websiteId: subject.id })
    return openingOfOwn(subject, credential)
  }
  const anyone = clientWith({})
  return access.by === 'share'
    ? openingOfShare(await anyone.getShareBySlug({ slug: access.slug }), access.slug)
    : openingOfPublic(await anyone.getWebsite({ websiteId: access.websiteId }))
}

/** The world map: an SVG path for each two-letter country code, and one path for all other land. */
interface World {
  readonly width: number
  readonly height: number
  readonly countries: Readonly<Record<string, string>>
  readonly others: string
}

async function readWorld(signal: AbortSignal): Promise<World> {
  const response = await fetch('/assets/world.json', { signal })
  if (!response.ok) throw new Error(`The request for the map returned status ${response.status}.`)
  return response.json()
}

/** Lists that the page can save as files. */
type ListId =
  | ('getWebsiteExpandedMetrics' | 'getEventDataValues' | 'getWebsiteRevenueMetrics')
  | ('getWebsiteSessions' | 'getWebsiteSessionActivity' | 'getWebsiteJourneys' | 'getWebsiteBreakdown')

export type Data = ReturnType<typeof dataOf>

/** Whether the range of a question ends now. */
const isUnderWay = (input: object): boolean =>
  'period' in input || ('endDate' in input && String(input.endDate).includes('T'))

/**
 * The questions that the page sends. If `generation` changes, all are sent again; if `news` changes, the first
 * questions about a current period; if `made` changes, those about the owner's saved objects.
 */
export function dataOf({ credential }: Opening, generation: number, news: number, made: number) {
  const client = clientWith(credential)
  const ask = <Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    { rank = 'others', moment, edition }: Asking = {},
  ): Question<Answer<Id>> => ({
    key: JSON.stringify([
      ...[credential, generation, id, input, 'period' in (input as object) ? thisMinute() : moment],
      moment !== undefined || (rank === 'first' && isUnderWay(input as object)) ? news : 0,
      edition,
    ]),
    topic: JSON.stringify([generation, id, input], (name, value) =>
      name === 'endDate' && value.includes('T') ? '' : value,
    ),
    // The methods have different types, because each accepts the input of its own operation.
    ask: (signal) =>
      inLine(
        () => (client[id] as (given: Input<Id>, how: object) => Promise<Answer<Id>>)(input, { signal }),
        ranks[rank],
        signal,
      ),
  })
  const world: Question<World> = {
    ...{ key: 'world', topic: 'world' },
    ask: (signal) => inLine(() => readWorld(signal), ranks.others, signal),
  }
  return {
    /** The client, for requests that change something. */
    client,
    world,
    name: ({ kind, id }: Subject): Question<{ name: string; domain?: string | null }> => {
      if (kind === 'link') return ask('getLink', { linkId: id }, first)
      return kind === 'pixel' ? ask('getPixel', { pixelId: id }, first) : ask('getWebsite', { websiteId: id }, first)
    },
    board: (boardId: string) => ask('getBoard', { boardId }, first),
    /** The viewer's websites, if the viewer has their own access. */
    websites: () => ask('listWebsites', { includeTeams: 'true', pageSize: 200 }),
    dates: (websiteId: string) => ask('getWebsiteDateRange', { websiteId }, { rank: 'compared' }),
    totals: (input: Input<'getWebsiteStats'>, how: Asking = first) =>
      ask('getWebsiteStats', { ...input, compare: 'none' }, how),
    active: (websiteId: string, moment: number) => ask('getWebsiteActive', { websiteId }, { moment }),
    series: (input: Input<'getWebsitePageviews'>, how: Asking) =>
      ask('getWebsitePageviews', { ...input, fill: 'true' }, how),
    metrics: (input: Input<'getWebsiteMetrics'>) => ask('getWebsiteMetrics', input),
    /** A list with all its columns. */
    expanded: (input: Input<'getWebsiteExpandedMetrics'>) => ask('getWebsiteExpandedMetrics', input),
    /** A whole list as CSV. */
    listFile: async <Id extends ListId>(id: Id, input: Input<Id>): Promise<Blob> => {
      const how = { accept: 'text/csv' } as const
      // The methods have different types, because each accepts the input of its own operation.
      const read = client[id] as (given: object, how: object) => Promise<Response>
      return (await read(input as object, how)).blob()
    },
    /** Several lists as CSV, in a ZIP file. */
    allFiles: async (input: Input<'exportWebsite'>): Promise<Blob> =>
      new Blob([Uint8Array.from(atob((await client.exportWebsite(input)).zip), (one) => one.charCodeAt(0))]),
    currencies: (input: Input<'getWebsiteRevenueCurrencies'>) => ask('getWebsiteRevenueCurrencies', input),
    notes: (input: Input<'getWebsiteAnnotations'>) => ask('getWebsiteAnnotations', input, { edition: made }),
    goals: (input: Input<'getWebsiteGoals'>) => ask('getWebsiteGoals', input, { edition: made }),
    goal: (input: Input<'getWebsiteSavedGoalStats'>, edition: string) =>
      ask('getWebsiteSavedGoalStats', input, { edition }),
    funnels: (input: Input<'getWebsiteFunnels'>) => ask('getWebsiteFunnels', input, { edition: made }),
    funnel: (input: Input<'getWebsiteSavedFunnelStats'>, edition: string) =>
      ask('getWebsiteSavedFunnelStats', input, { edition }),
    /** The result of a goal that has not been saved yet. */
    newGoal: (input: Input<'getWebsiteGoalStats'>) => ask('getWebsiteGoalStats', input),
    newFunnel: (input: Input<'getWebsiteFunnelStats'>) => ask('getWebsiteFunnelStats', input),
    sales: (input: Input<'getWebsiteRevenueStats'>) => ask('getWebsiteRevenueStats', input),
    salesBy: (input: Input<'getWebsiteRevenueMetrics'>) => ask('getWebsiteRevenueMetrics', input),
    vitals: (input: Input<'getWebsitePerformanceStats'>) => ask('getWebsitePerformanceStats', input),
    retention: (input: Input<'getWebsiteRetention'>) => ask('getWebsiteRetention', input),
    /** The values of a field in the period. */
    fieldValues: (input: Input<'getWebsiteValues'>) => ask('getWebsiteValues', input),
    segments: (websiteId: string, type: 'segment' | 'cohort') =>
      ask('getWebsiteSegments', { websiteId, type, pageSize: 200 }, { edition: made }),
    properties: (input: Input<'getEventDataProperties'>) => ask('getEventDataProperties', input),
    values: (input: Input<'getEventDataValues'>) => ask('getEventDataValues', input),
    sessions: (input: Input<'getWebsiteSessions'>) => ask('getWebsiteSessions', input),
    session: (input: Input<'getWebsiteSession'>) => ask('getWebsiteSession', input, { moment: thisMinute() }),
    activity: (input: Input<'getWebsiteSessionActivity'>) => ask('getWebsiteSessionActivity', input),
    /** The names of all properties of the period's sessions. */
    said: (input: Input<'getSessionDataProperties'>) => ask('getSessionDataProperties', input),
    saidOf: (input: Input<'getWebsiteSessionProperties'>) => ask('getWebsiteSessionProperties', input),
    eventData: (input: Input<'getEventDataById'>) => ask('getEventDataById', input),
    /** The newest recorded visits of a session. */
    replays: (session: Pick<Input<'getWebsiteSession'>, 'websiteId' | 'sessionId'>) =>
      ask('getWebsiteSessionReplays', { ...session, period: 'all_time', pageSize: 100 }),
    journeys: (input: Input<'getWebsiteJourneys'>) => ask('getWebsiteJourneys', input),
    attribution: (input: Input<'getWebsiteAttribution'>) => ask('getWebsiteAttribution', input),
    breakdown: (input: Input<'getWebsiteBreakdown'>) => ask('getWebsiteBreakdown', input),
    /** The last 30 minutes, as a live stream. */
    live: (input: Input<'getRealtime'>, signal: AbortSignal): Promise<Response> =>
      client.getRealtime(input, { accept: 'text/event-stream', signal }),
  }
}

/** A sentence for viewers that explains why there is no answer. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof WeirError)) return 'Something went wrong on this page.'
  const { status, code, retryAfter } = error
  if (code === 'timeout') return 'The numbers did not arrive in time.'
  if (status === undefined) return 'The numbers cannot be fetched. Is the network down?'
  if (status === 429) return `Too many people are viewing these numbers. Try again in ${retryAfter ?? 60} seconds.`
  if (status === 401) return 'Your access to these numbers has expired. Open the page again, or sign in again.'
  if (status === 400) return `This request is not valid: ${error.issues[0]?.message ?? error.message}`
  if (status === 403) return 'This page may not show these numbers.'
  if (code === 'too-much-data') return 'These numbers need too much data. Choose a shorter period, or add filters.'
  if (status >= 400 && status < 500) return 'This link no longer opens these numbers. Ask its owner for a new one.'
  return 'The numbers cannot be read right now.'
}
