import { sendersBy } from '../start/senders.ts'
import { launchWith, portsOf } from '../start/start-command.ts'
import type { Given } from './io.ts'

interface ServeFlags {
  readonly host: string
  readonly port: string
  readonly clickhousePort: string
  readonly logRequests?: true
}

/** The command `serve`, which is `npm start` for a server. Resolves once Weir answers. */
export async function serve({ flags, dataDir, io }: Given<ServeFlags>): Promise<void> {
  const { host, logRequests = false } = flags
  const started = { ...portsOf(flags, io.env), dataDir, demoEvents: 0, json: false, logRequests }
  const senderOf = sendersBy(io.env)
  if (!io.env.TRUSTED_PROXIES) {
    io.err('TRUSTED_PROXIES lists no proxy: behind a proxy, all visitors have its address. See docs/one-server.md.')
  }
  await launchWith({ ...started, serve: { host, senderOf } }, io.env, io)
}
