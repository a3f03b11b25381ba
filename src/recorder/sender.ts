import { noop } from '../tracker/page.ts'
import type { Send } from './part.ts'

/** What a sender needs to know about the visit and the server. */
interface Circumstances {
  readonly type: 'record' | 'heatmap'
  readonly website: string
  readonly endpoint: URL
  /** Returns the visit's token; undefined if nothing more may be sent. Called before each request. */
  token(): string | undefined
  /** Called once, when the server or the visitor stops the recording. */
  end(): void
}

interface Waiting {
  readonly text: string
  readonly bytes: number
  isOnItsWay: boolean
  failures: number
}

/** The seconds before each retry of a failed request. */
const pauses = [1, 4, 16]

/** The maximum number of bytes of waiting JSON. A single waiting request may be larger. */
const mostWaiting = 2_000_000

/** When a page is left, browsers only complete requests of at most 64 KiB in total. */
const outlives = 60_000

const canCompress = 'CompressionStream' in window

/** Sends requests one at a time, in order. */
export function sender({ type, website, endpoint, token, end }: Circumstances): Send {
  let waiting: Waiting[] = []
  let second = 0
  let hasEnded = false
  let isBusy = false

  const finish = (): void => {
    if (hasEnded) return
    hasEnded = true
    waiting = []
    end()
  }

  /** Sends a request once. */
  const attempt = async (one: Waiting, isLeaving: boolean): Promise<void> => {
    one.isOnItsWay = true
    const isPlain = isLeaving || !canCompress
    try {
      const body = isPlain ? one.text : await gzip(one.text)
      // In the meantime, the visitor may have stopped the recording.
      const cache = token()
      if (!cache) return finish()
      const headers: HeadersInit = { 'x-umami-cache': cache, ...(!isPlain && { 'Content-Encoding': 'gzip' }) }
      const keepalive = (isPlain ? one.bytes : (body as Blob).size) <= outlives
      const answer = await fetch(endpoint, { method: 'POST', body, headers, keepalive, credentials: 'omit' })
      if (answer.status === 429 || answer.status === 503) throw answer
      const isTaken = await answer.json().then(({ ok }) => ok, noop)
      if (!isTaken) finish()
      waiting = waiting.filter((other) => other !== one)
    } catch {
      if (++one.failures > pauses.length) finish()
    }
    one.isOnItsWay = false
  }

  const sendAll = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    for (let one = waiting[0]; one && !hasEnded; one = waiting[0]) {
      if (!one.isOnItsWay) await attempt(one, false)
      const seconds = waiting[0] === one ? (pauses[one.failures - 1] ?? 1) : 0
      if (seconds && !hasEnded) await new Promise((resolve) => setTimeout(resolve, 1000 * seconds))
    }
    isBusy = false
  }

  return (events, isLeaving, given) => {
    if (hasEnded) return
    if (events.length > 0) {
      second = Math.max(Math.floor(Date.now() / 1000), second + 1)
      const head = JSON.stringify({ type, payload: { website, timestamp: second, events: [] } })
      const text = `${head.slice(0, -3)}${events.join()}]}}`
      waiting.push({ text, bytes: given ?? text.length, isOnItsWay: false, failures: 0 })
    }
    const bytes = waiting.reduce((sum, one) => sum + one.bytes, 0)
    if (waiting.length > 1 && bytes > mostWaiting) return finish()
    if (isLeaving) {
      for (const one of waiting) if (!one.isOnItsWay && one.bytes <= outlives) void attempt(one, true)
    }
    void sendAll()
  }
}

const gzip = (text: string): Promise<Blob> =>
  new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).blob()
