import { type IncomingMessage, request, type ServerResponse } from 'node:http'

/**
 * Forwards a request to the server at `url`, and returns its response. If one side ends, so does the other. `body` is
 * what has been read of the request.
 */
export function passOn(url: string, incoming: IncomingMessage, outgoing: ServerResponse, body?: Buffer): void {
  const { host: _, ...headers } = incoming.headers
  const passed = request(url + incoming.url!, { method: incoming.method!, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode!, answer.headers)
    answer.pipe(outgoing)
  })
  passed.once('error', () => outgoing.destroy())
  outgoing.once('close', () => passed.destroy())
  if (body) passed.end(body)
  else incoming.pipe(passed)
}
