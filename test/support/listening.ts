import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Starts a server for the test, on any free port. */
export async function listening(listener: RequestListener): Promise<{ server: Server; port: number }> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, () => done()))
  return { server, port: (server.address() as AddressInfo).port }
}
