import { type IncomingMessage, request, type ServerResponse } from 'node:http'

/** Forwards a request to the server at `url`, and returns its response. If one side ends, so does the other. */
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
