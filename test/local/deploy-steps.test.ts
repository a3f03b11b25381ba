import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { cloudflareSteps } from '../../src/local/deploy/cloudflare-steps.ts'
import { copySteps } from '../../src/local/deploy/copies.ts'
import { finalSteps } from '../../src/local/deploy/final-steps.ts'
import { isSecret, settingsIn } from '../../src/local/deploy/settings.ts'
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

async function listening(answer: RequestListener): Promise<string> {
  server = createServer(answer).listen(0, '127.0.0.1')
  await new Promise((listens) => server!.once('listening', listens))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('deploy does not let wrangler replace another site’s DNS record if nobody can confirm it', async () => {
  const upload = cloudflareSteps(runWith({ WEIR_DOMAIN: 'localhost' })).at(-1)!
  await expect(upload.work()).rejects.toThrow('localhost has a DNS record, but no Weir answers there. To replace')
})

it('deploy uses wrangler’s token to configure copies of D1, and says where else to do so', async () => {
  let asked = ''
  const url = await listening((request, response) => {
    asked = `${request.method} ${request.url} ${request.headers.authorization}`
    response.writeHead(403).end('Not allowed.')
  })
  const run = runWith({ WEIR_D1_COPIES: 'auto', CLOUDFLARE_API_BASE_URL: url }, { account: 'a', database: 'd' })
  const wrangler = { ...run.wrangler, run: async () => '{"type":"oauth","token":"of-a-person"}' }
  await expect(copySteps({ ...run, wrangler })[0]!.work()).rejects.toThrow(/403 Not allowed\.[\s\S]*dashboard/)
  expect(asked).toBe('PUT /accounts/a/d1/database/d Bearer of-a-person')
})

it('deploy mentions ClickHouse Cloud’s access list if only the Worker cannot read ClickHouse', async () => {
  let asked = 0
  const url = await listening((_, response) => {
    asked++
    response.writeHead(503).end('{"error":{"code":"service-unavailable"}}')
  })
  const [wait] = finalSteps(runWith({}, { url }))
  await expect(wait!.work()).rejects.toThrow('allow all addresses in the access list of ClickHouse Cloud')
  // It tries three times, because the secrets may be new.
  expect(asked).toBe(3)
})

it('settings are secrets by their names, if a list refers to them, and if a URL has a password', () => {
  const settings = {
    ...{ TWO_FACTOR_KEY: 'x', METRICS_TOKEN: 'x', CLICKHOUSE_WRITE_PASSWORD: 'x', IN_OREGON: 'x', OIDC_ACME: 'x' },
    CLICKHOUSE_WRITE_URL: 'https://weir_writer:x@click.house',
    CLICKHOUSE_REPLICAS: '[{"name":"oregon","url":"https://x","continent":"NA","password":"IN_OREGON"}]',
    OIDC_ISSUERS: '[{ "name": "acme", "clientSecret": "OIDC_ACME" }]',
    ...{ CLICKHOUSE_WRITE_USER: 'x', PUBLIC_URL: 'x', IN_OREGON_TOO: 'x' },
  }
  const names = Object.keys(settings)
  expect(names.filter((name) => isSecret(name, settings))).toEqual(names.slice(0, 6))
})
