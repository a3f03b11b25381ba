import { connect, type Socket } from 'node:net'

/** The result of a load test. */
export interface Load {
  readonly requests: number
  readonly seconds: number
  /** The busy share of this process, the client. */
  readonly clientShare: number
}

/** The load: each connection sends the next request as soon as it has the answer. */
export interface Asking {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly connections: number
  readonly milliseconds: number
}

/**
 * Sends requests over its own sockets. The server has to be the bottleneck, and Node's HTTP clients take longer per
 * request than workerd takes for a short answer.
 */
export async function load({ url, headers, connections, milliseconds }: Asking): Promise<Load> {
  const { hostname, port, pathname, search } = new URL(url)
  const lines = Object.entries({ host: `${hostname}:${port}`, ...headers }).map(([name, value]) => `${name}: ${value}`)
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const sockets = await Promise.all(Array.from({ length: connections }, () => connected(hostname, Number(port))))
  const [started, worked] = [performance.now(), process.cpuUsage()]
  const until = started + milliseconds
  try {
    const requests = await Promise.all(sockets.map((socket) => askUntil(until, socket, request)))
    const elapsed = performance.now() - started
    const { user, system } = process.cpuUsage(worked)
    const clientShare = (user + system) / 1000 / elapsed
    return { requests: requests.reduce((sum, count) => sum + count), seconds: elapsed / 1000, clientShare }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

function connected(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Sends the next request when the answer is complete. Returns the number of answers. */
function askUntil(until: number, socket: Socket, request: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    let count = 0
    let received: Buffer = Buffer.alloc(0)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('The server closed a connection.')))
    socket.on('data', (data: Buffer) => {
      received = received.length === 0 ? data : Buffer.concat([received, data])
      if (!isWhole(received)) return
      if (!isOk(received)) return reject(new Error(`Answered ${received.toString('latin1', 0, 300)}`))
      received = Buffer.alloc(0)
      count++
      if (performance.now() < until) socket.write(request)
      else resolve(count)
    })
    socket.write(request)
  })
}

const isOk = (answer: Buffer): boolean => answer.toString('latin1', 9, 12) === '200'

/** Whether the answer is complete. There is only one, because the next request is sent after it. */
function isWhole(received: Buffer): boolean {
  const headersEnd = received.indexOf('\r\n\r\n')
  if (headersEnd < 0) return false
  const length = /\r\ncontent-length: (\d+)/i.exec(received.toString('latin1', 0, headersEnd))?.[1]
  if (length === undefined) return received.subarray(-5).equals(lastChunk)
  return received.length >= headersEnd + 4 + Number(length)
}

const lastChunk = Buffer.from('0\r\n\r\n')
