import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'

/** Sends events at a steady rate from a separate process, without waiting for answers. */

/** The job that the parent process assigns. */
export interface Sending {
  readonly url: string
  readonly websiteIds: readonly string[]
  /** Requests per second, and the number of events in each. */
  readonly rate: number
  readonly batch: number
  readonly seconds: number
}

/** The results. Times are in milliseconds, from when a request was due to its answer. */
export interface SentFindings {
  /** Responses with a status other than 200, and broken connections. */
  readonly failed: number
  /** Responses per second, until the last response. */
  readonly rate: number
  readonly p50: number
  readonly p99: number
}

/** The maximum number of connections. Further requests wait for one. */
const mostSockets = 1000

/**
 * A connection that has been idle for this many milliseconds is not reused, because workerd closes it after five
 * seconds.
 */
const idleLasts = 3000

const paths = ['/', '/pricing', '/docs', '/blog/one', '/blog/two', '/about']

function bodyOf({ websiteIds, batch }: Sending, number: number): string {
  const event = (index: number) => ({
    type: 'event',
    payload: {
      website: websiteIds[(number + index) % websiteIds.length],
      hostname: 'www.example.com',
      url: paths[(number + index) % paths.length],
      referrer: 'https://www.google.com/',
      title: 'A page',
      language: 'en-US',
      screen: '1920x1080',
      ip: `198.51.${(number >> 8) % 256}.${(number + index) % 256}`,
      eventId: randomUUID(),
    },
  })
  return JSON.stringify(batch === 1 ? event(0) : Array.from({ length: batch }, (_, index) => event(index)))
}

const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36'

function sendAll(sending: Sending): Promise<SentFindings> {
  const { hostname, port } = new URL(sending.url)
  const path = sending.batch === 1 ? '/api/send' : '/api/batch'
  const total = Math.round(sending.rate * sending.seconds)
  const head = `POST ${path} HTTP/1.1\r\nhost: ${hostname}:${port}\r\nuser-agent: ${userAgent}\r\ncontent-length: `
  const idle: { readonly socket: Socket; readonly since: number }[] = []
  const waiting: (() => void)[] = []
  const took: number[] = []
  let [sockets, failed, due, done] = [0, 0, 0, 0]
  const began = performance.now()
  return new Promise((resolve) => {
    const finish = (isGood: boolean, since: number, socket?: Socket) => {
      if (isGood) took.push(performance.now() - since)
      else failed++
      if (socket) idle.push({ socket, since: performance.now() })
      else sockets--
      waiting.shift()?.()
      if (++done < total) return
      for (const one of idle) one.socket.destroy()
      took.sort((left, right) => left - right)
      const at = (share: number) => took[Math.min(took.length - 1, Math.floor(share * took.length))] ?? Number.NaN
      const rate = (1000 * took.length) / (performance.now() - began)
      resolve({ failed, rate, p50: at(0.5), p99: at(0.99) })
    }
    const ask = (number: number, since: number) => {
      if (idle.length === 0 && sockets >= mostSockets) return void waiting.push(() => ask(number, since))
      const body = bodyOf(sending, number)
      const own = idleSocket() ?? opened()
      let text = ''
      const onData = (data: Buffer) => {
        text += data.toString('latin1')
        if (!isWhole(text)) return
        forget()
        finish(text.startsWith('HTTP/1.1 200'), since, own)
      }
      const onEnd = () => {
        forget()
        finish(false, since)
      }
      const forget = () => {
        own.off('data', onData)
        own.off('close', onEnd)
      }
      own.on('data', onData)
      own.on('close', onEnd)
      own.write(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`)
    }
    const idleSocket = (): Socket | undefined => {
      for (let one = idle.pop(); one; one = idle.pop()) {
        if (!one.socket.destroyed && performance.now() - one.since < idleLasts) return one.socket
        one.socket.destroy()
        sockets--
      }
      return undefined
    }
    const opened = (): Socket => {
      sockets++
      return connect({ host: hostname, port: Number(port), noDelay: true }).on('error', () => {})
    }
    const tick = () => {
      for (; due < total && began + (1000 * due) / sending.rate <= performance.now(); due++) {
        ask(due, began + (1000 * due) / sending.rate)
      }
      if (due < total) setTimeout(tick, 1)
    }
    tick()
  })
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
  return length === undefined ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length)
}

process.once('message', (sending: Sending) => {
  void sendAll(sending).then((found) => process.send!(found, () => process.disconnect()))
})
