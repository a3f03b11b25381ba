import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../src/local/machine/port.ts'

async function listening(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

it.each(['127.0.0.1', '0.0.0.0', '::', '::ffff:127.0.0.1'])('a process listening on %s is identified', async (host) => {
  const port = await listening(host)
  await expect(freePort('--port', port)).rejects.toThrow(
    new RegExp(`^Port ${port} is in use by process ${process.pid} \\(.+\\)\\. Choose another one with --port; 0 takes`),
  )
})

it('if the process at a taken port cannot be identified, the error says how to find it', async () => {
  // An outgoing connection's local port is taken, although nothing listens on it.
  const outgoing = connect(await listening('127.0.0.1'), '127.0.0.1')
  onTestFinished(() => void outgoing.destroy())
  await once(outgoing, 'connect')
  const port = outgoing.localPort!
  await expect(freePort('--port', port)).rejects.toThrow(
    `Port ${port} is in use. As root, lsof -i :${port} shows the process. Choose another one with --port`,
  )
})
