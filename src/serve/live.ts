import { personalAccountOf } from '../access/limits.ts'
import type { Grant } from '../access/permit.ts'
import type { Endpoint } from '../endpoints/endpoint.ts'
import type { Exchange } from './exchange.ts'
import { isPreferred } from './export/accept.ts'
import type { Caller } from './identify.ts'
import { unbuffered } from './respond.ts'
import { slots } from './slots.ts'

/**
 * The maximum number of live answers in an isolate, for one account and for all readers of shares and public websites
 * together.
 */
const takeSlot = slots({ ofAccount: 500, ofOpenings: 1000, kind: 'live answers' })

/** All times are in milliseconds. */
interface LiveTimes {
  /** The time between two checks of whether the answer has changed. */
  readonly step: number
  /** The maximum time without a message. After that, a comment is sent to show that the connection still works. */
  readonly silence: number
  /** The maximum time that a message waits to be read. */
  readonly patience: number
  /** The maximum time that a connection stays open. Browsers reconnect automatically. */
  readonly life: number
}

const liveTimes: LiveTimes = { step: 2000, silence: 15_000, patience: 30_000, life: 3_600_000 }

/**
 * An answer younger than this many seconds is used without a new statement, so all listeners share one statement, no
 * matter when each of them connected. If there is only one listener, its answers are always new.
 */
const freshEnough = 1.6

const eventStream = 'text/event-stream'

/** Whether `Accept` requests a live answer. */
export function isListening(endpoint: Endpoint, { request, setHeader }: Exchange): boolean {
  if (endpoint.kind !== 'report' || !endpoint.isLive) return false
  setHeader('Vary', 'Accept', { append: true })
  return isPreferred(request.headers.get('accept') ?? '', eventStream)
}

/**
 * Sends the answer as a server-sent event whenever it has changed. Each check is a separate request by the same caller,
 * so the stream ends once that caller may no longer read the answer.
 */
export async function answerLive({ holder }: Caller, grant: Grant, exchange: Exchange): Promise<Response> {
  const { url, request, address, now, elapsed } = exchange
  const parameters = new URLSearchParams(url.search)
  parameters.delete('share')
  const look = () => exchange.subrequest(`${url.pathname}?${parameters}`, freshEnough)
  const first = await look()
  if (first.status !== 200) return first
  const asOf = first.headers.get('x-as-of')
  const headers = { 'Content-Type': eventStream, ...unbuffered, ...(asOf !== null && { 'X-As-Of': asOf }) }
  if (request.method === 'HEAD') return exchange.respond(null, 200, headers)
  const text = await first.text()
  const free = takeSlot(personalAccountOf(holder, address), grant.kind === 'opening', () => now + elapsed())
  return exchange.respond(liveStream(text, { look, free, elapsed }, liveTimes), 200, headers)
}

/** The statuses that end the stream, because the caller may no longer read the answer or it no longer exists. */
const endings = new Set([400, 401, 403, 404])

interface Looks {
  readonly look: () => Promise<Response>
  /** Frees the slot. Called when the stream ends, for whatever reason. */
  readonly free: () => void
  /** Milliseconds since the request arrived. */
  readonly elapsed: () => number
}

/** A stream of server-sent events, the first of which contains this answer. */
export function liveStream(
  first: string,
  { look, free, elapsed }: Looks,
  { step, silence, patience, life }: LiveTimes,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let [next, known, isOver] = [`retry: ${step}\n${messageOf(first)}`, changing(first), false]
  let unread: ReturnType<typeof setTimeout> | undefined

  /** The text to send next; undefined when the stream has ended. */
  async function nextText(): Promise<string | undefined> {
    const since = elapsed()
    while (!isOver && elapsed() < life) {
      await new Promise((resolve) => setTimeout(resolve, step))
      const answer = await look()
      if (endings.has(answer.status)) return undefined
      const text = await answer.text()
      const isRead = answer.status === 200 && answer.headers.get('x-cache') !== 'STALE'
      if (answer.status === 200 && changing(text) !== known) {
        known = changing(text)
        return messageOf(text)
      }
      // The pages mark their numbers as old when they get only the second kind of comment.
      if (elapsed() - since >= silence) return isRead ? ':\n\n' : ': cannot be read\n\n'
    }
    return undefined
  }

  function end(): void {
    isOver = true
    clearTimeout(unread)
    free()
  }

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(unread)
        const text = next || (await nextText())
        next = ''
        if (isOver) return
        if (text === undefined) {
          end()
          return controller.close()
        }
        controller.enqueue(encoder.encode(text))
        unread = setTimeout(() => {
          end()
          controller.error(new Error('The listener does not read.'))
        }, patience)
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

const messageOf = (json: string): string => `data: ${json}\n\n`

/** The answer without its `timestamp`, which is its last field. */
const changing = (json: string): string => json.slice(0, json.lastIndexOf('"timestamp":'))
