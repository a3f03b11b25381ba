import { type IncomingMessage, request, type ServerResponse } from 'node:http'

/** Passes a request on to the server at `url`, and its answer back. Each side ends with the other. */
export function passOn(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { host: _, ...headers } = incoming.headers
  const passed = request(url + incoming.url!, { method: incoming.method!, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(outgoing)
  })
  passed.once('error', () => outgoing.destroy())
  outgoing.once('close', () => passed.destroy())
  incoming.pipe(passed)
}
