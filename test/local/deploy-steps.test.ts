import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { cloudflareSteps } from '../../src/local/deploy/cloudflare-steps.ts'
import { finalSteps } from '../../src/local/deploy/final-steps.ts'
import { settingsIn } from '../../src/local/deploy/settings.ts'
import type { Run } from '../../src/local/deploy/step.ts'

let server: Server | undefined
afterEach(() => server?.close())

/** A deployment with these settings, during which wrangler must not run. */
function runWith(env: NodeJS.ProcessEnv, found: Run['found'] = {}): Run {
  const run = () => Promise.reject(new Error('wrangler runs.'))
  return {
    ...{ settings: settingsIn('/nowhere/.env', env), wrangler: { line: (words) => words.join(' '), run }, found },
    ...{ configuration: '/nowhere/weir.json', name: 'weir', say() {}, ask: undefined, isSure: false },
  }
}

it('deploy does not let wrangler take over another site’s address if it cannot ask anybody', async () => {
  const upload = cloudflareSteps(runWith({ WEIR_DOMAIN: 'localhost' })).at(-1)!
  await expect(upload.work()).rejects.toThrow('localhost has a DNS record, but no Weir answers there. To replace')
})

it('deploy suggests ClickHouse Cloud’s IP access list if only the Worker cannot read ClickHouse', async () => {
  let asked = 0
  server = createServer((_, response) => {
    asked++
    response.writeHead(503).end('{"error":{"code":"service-unavailable"}}')
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server!.once('listening', listening))
  const [wait] = finalSteps(runWith({}, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
  await expect(wait!.work()).rejects.toThrow('allow all addresses in the list of ClickHouse Cloud')
  // It tries three times, because the secrets may be new.
  expect(asked).toBe(3)
})
