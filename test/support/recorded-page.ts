import type { Page } from 'playwright-core'
import { run, type Sent } from './site.ts'

/** An rrweb event, or a piece of one. */
export interface Rrweb {
  readonly type: number | string
  readonly timestamp: number
  // biome-ignore lint/suspicious/noExplicitAny: tests compare data whole, or reach into what they just checked
  readonly data: any
}

const ofType = (sent: readonly Sent[], type: string) => sent.filter((one) => one.type === type)

/** The requests with a replay, and those with a heatmap. */
export const chunks = (sent: readonly Sent[]): Sent[] => ofType(sent, 'record')
export const heatmaps = (sent: readonly Sent[]): Sent[] => ofType(sent, 'heatmap')

export const eventsOf = (requests: readonly Sent[]): Rrweb[] => requests.flatMap(({ payload }) => payload.events)

interface Recorded {
  readonly id: number
  readonly tagName?: string
  readonly textContent?: string
  readonly attributes?: Readonly<Record<string, string | number | boolean>>
  readonly childNodes?: readonly Recorded[]
}

/** All nodes in these events: those in full snapshots, and those added later. */
export function nodesOf(events: readonly Rrweb[]): Recorded[] {
  const below = (node: Recorded): Recorded[] => [node, ...(node.childNodes ?? []).flatMap(below)]
  return events.flatMap(({ type, data }) => {
    if (type === 2) return below(data.node)
    if (type === 3 && data.source === 0) return data.adds.flatMap(({ node }: { node: Recorded }) => below(node))
    return []
  })
}

/** The attributes of the recorded element that has this id. */
export const attributesOf = (events: readonly Rrweb[], id: string) =>
  nodesOf(events).find(({ attributes }) => attributes?.id === id)?.attributes

/** Hides the page, which makes it send its queue. */
export const hide = (page: Page) =>
  run(
    page,
    `Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))
    delete document.hidden`,
  )

/** The page's requests to other addresses. */
export function requestsOf(page: Page): string[] {
  const requests: string[] = []
  page.on('request', (request) => requests.push(new URL(request.url()).pathname))
  return requests
}
