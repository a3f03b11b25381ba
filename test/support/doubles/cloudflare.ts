import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { D1Database } from '@cloudflare/workers-types'
import { parseServer } from '../../../src/clickhouse/server.ts'
import { places } from '../../../src/local/paths.ts'
import { bundled, type OpenMetadata, openAlone, startBundled } from '../../../src/local/start/workerd.ts'
import { reservedPort } from '../reserved-port.ts'

/** A binding of an uploaded Worker, with the field names in Cloudflare's API. */
interface Binding {
  readonly name: string
  readonly type: string
  readonly text?: string
  readonly json?: unknown
}

/** One of the account's Workers. */
interface Worker {
  readonly secrets: Record<string, string>
  metadata?: {
    readonly bindings: readonly Binding[]
    readonly migrations?: { readonly new_tag: string }
    readonly cache_options?: object
  }
  tag?: string
  isOnWorkersDev?: boolean
  domains?: unknown
}

/** An account's state, and the requests sent to it. */
export interface Cloudflare {
  /** The value for `CLOUDFLARE_API_BASE_URL`. */
  readonly api: string
  /** The URL of the deployed Worker. */
  readonly url: string
  readonly databases: {
    readonly name: string
    readonly uuid: string
    readonly jurisdiction: string | null
    read_replication?: object
  }[]
  readonly workers: Map<string, Worker>
  readonly requests: string[]
  /** Called with `POST /path` after a request has had its effect, but before it is answered. */
  onRequest: (request: string) => Promise<void> | void
  close(): Promise<void>
}

/** A request to the API. */
interface Asked {
  readonly json: () => unknown
  readonly form: () => Promise<FormData>
  readonly bytes: Buffer
  /** The parts of its path that the pattern captures. */
  readonly parts: readonly string[]
}

/** An error response, with the code that wrangler checks. */
class Refusal extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

/**
 * A stand-in for the parts of Cloudflare's API that wrangler needs for a deployment. Behind it, D1 is the real one in
 * workerd, and the uploaded Worker runs in workerd with its uploaded bindings.
 */
export async function startCloudflare(): Promise<Cloudflare> {
  const folder = mkdtempSync(`${tmpdir()}/weir-cloudflare-`)
  const port = await reservedPort()
  let open: OpenMetadata = await openAlone(folder)
  let uploaded = ''
  const state = {
    databases: [] as Cloudflare['databases'],
    workers: new Map<string, Worker>(),
    requests: [] as string[],
    files: new Map<string, Buffer>(),
    manifest: {} as Record<string, { readonly hash: string }>,
  }
  const workerOf = (name: string): Worker => {
    const worker = state.workers.get(name)
    if (!worker) throw new Refusal(10_007, 'This Worker does not exist on your account.')
    return worker
  }

  /** Starts the uploaded Worker in place of the previous one. */
  async function run(worker: Worker, script: string): Promise<void> {
    const { bundle } = places(folder)
    for (const [path, { hash }] of Object.entries(state.manifest)) {
      mkdirSync(dirname(`${bundle}/pages${path}`), { recursive: true })
      writeFileSync(`${bundle}/pages${path}`, state.files.get(hash)!)
    }
    writeFileSync(`${bundle}/worker.js`, script)
    await open.close()
    const variables = worker.metadata!.bindings.flatMap(({ name, type, text, json }): [string, unknown][] =>
      type === 'plain_text' ? [[name, text]] : type === 'json' ? [[name, json]] : [],
    )
    const options = bundled(folder, port, parseServer({ CLICKHOUSE_URL: 'http://127.0.0.1:9' }))
    open = await startBundled({
      ...options,
      bindings: { ...Object.fromEntries(variables), ...worker.secrets } as never,
    })
  }

  async function upload(worker: Worker, { form }: Asked): Promise<void> {
    const parts = await form()
    worker.metadata = JSON.parse(String(parts.get('metadata'))) as NonNullable<Worker['metadata']>
    if (worker.metadata.migrations) worker.tag = worker.metadata.migrations.new_tag
    const script = [...parts.values()].find((part): part is File => part instanceof File)
    if (Object.keys(state.manifest).length > 0) await run(worker, await script!.text())
  }

  const account = (path: string) => new RegExp(`^/accounts/account${path}$`)
  const routes: readonly (readonly [string, RegExp, (asked: Asked) => unknown])[] = [
    ['GET', /^\/user\/tokens\/verify$/, () => ({ status: 'active' })],
    ['GET', /^\/user$/, () => ({ email: 'operator@example.com' })],
    ['GET', /^\/accounts$/, () => [{ id: 'account', name: 'An account' }]],
    // Newer versions of wrangler request this instead.
    ['GET', /^\/memberships$/, () => [{ account: { id: 'account', name: 'An account' } }]],
    ['GET', account('/d1/database'), () => state.databases],
    [
      'POST',
      account('/d1/database'),
      ({ json }) => {
        const { name, jurisdiction = null } = json() as { name: string; jurisdiction?: string }
        if (state.databases.some((one) => one.name === name))
          throw new Refusal(7502, 'A database with that name exists.')
        const made = { name, uuid: randomUUID(), jurisdiction }
        state.databases.push(made)
        return made
      },
    ],
    [
      'PUT',
      account('/d1/database/([^/]+)'),
      ({ parts: [id], json }) => Object.assign(state.databases.find(({ uuid }) => uuid === id)!, json()),
    ],
    ['POST', account('/d1/database/[^/]+/query'), ({ json }) => query(open.metadata, (json() as { sql: string }).sql)],
    [
      'POST',
      account('/d1/database/[^/]+/import'),
      async ({ json }) => {
        const { action } = json() as { action: string }
        const told = { success: true, messages: [] }
        if (action === 'init') return { ...told, filename: 'file.sql', upload_url: `${api}/upload` }
        const done = await query(open.metadata, uploaded)
        const meta = { duration: 1, rows_read: 0, rows_written: 1, size_after: 1 }
        return { ...told, status: 'complete', result: { num_queries: done.length, final_bookmark: '', meta } }
      },
    ],
    ['GET', account('/workers/services/([^/]+)'), ({ parts: [name] }) => serviceOf(workerOf(name!))],
    ['DELETE', account('/workers/services/([^/]+)'), ({ parts: [name] }) => void state.workers.delete(name!)],
    [
      'GET',
      account('/workers/scripts'),
      () => [...state.workers].map(([id, { tag }]) => ({ id, ...(tag && { migration_tag: tag }) })),
    ],
    [
      'GET',
      account('/workers/scripts/([^/]+)/secrets'),
      ({ parts: [name] }) =>
        Object.keys(workerOf(name!).secrets).map((secret) => ({ name: secret, type: 'secret_text' })),
    ],
    [
      'GET',
      account('/workers/scripts/([^/]+)/settings'),
      ({ parts: [name] }) => {
        const { secrets, metadata } = workerOf(name!)
        const ofSecrets = Object.keys(secrets).map((secret) => ({ name: secret, type: 'secret_text' }))
        return { bindings: [...(metadata?.bindings ?? []), ...ofSecrets] }
      },
    ],
    [
      'PATCH',
      account('/workers/scripts/([^/]+)/settings'),
      async ({ parts: [name], form }) => {
        const { bindings } = JSON.parse(String((await form()).get('settings'))) as { bindings: Binding[] }
        for (const { name: secret, text } of bindings) if (text !== undefined) workerOf(name!).secrets[secret] = text
        return { bindings: [] }
      },
    ],
    [
      'PUT',
      account('/workers/scripts/([^/]+)'),
      async (asked) => {
        const name = asked.parts[0]!
        if (!state.workers.has(name)) state.workers.set(name, { secrets: {} })
        await upload(workerOf(name), asked)
        return { id: name, etag: 'etag', deployment_id: randomUUID().replaceAll('-', ''), startup_time_ms: 1 }
      },
    ],
    [
      'POST',
      account('/workers/scripts/([^/]+)/versions'),
      async (asked) => {
        await upload(workerOf(asked.parts[0]!), asked)
        const resources = { script: { etag: 'etag' } }
        return { id: randomUUID(), startup_time_ms: 1, resources, metadata: { has_preview: false } }
      },
    ],
    ['GET', account('/workers/scripts/[^/]+/deployments'), () => ({ deployments: [] })],
    ['POST', account('/workers/scripts/[^/]+/deployments'), () => ({ id: randomUUID() })],
    ['PATCH', account('/workers/scripts/[^/]+/script-settings'), () => ({})],
    [
      'POST',
      account('/workers/scripts/[^/]+/assets-upload-session'),
      ({ json }) => {
        state.manifest = (json() as { manifest: typeof state.manifest }).manifest
        const missing = Object.values(state.manifest).flatMap(({ hash }) => (state.files.has(hash) ? [] : [hash]))
        return { jwt: 'jwt', buckets: missing.length > 0 ? [missing] : [] }
      },
    ],
    [
      'POST',
      account('/workers/assets/upload'),
      async ({ form }) => {
        for (const [hash, file] of await form()) {
          state.files.set(hash, Buffer.from(await (file as File).text(), 'base64'))
        }
        return { jwt: 'jwt' }
      },
    ],
    ['GET', account('/storage/kv/namespaces'), () => []],
    ['GET', account('/workers/subdomain'), () => ({ subdomain: 'operator' })],
    [
      'GET',
      account('/workers/scripts/([^/]+)/subdomain'),
      ({ parts: [name] }) => ({ enabled: workerOf(name!).isOnWorkersDev ?? false, previews_enabled: false }),
    ],
    [
      'POST',
      account('/workers/scripts/([^/]+)/subdomain'),
      ({ parts: [name], json }) => {
        workerOf(name!).isOnWorkersDev = (json() as { enabled: boolean }).enabled
        return json()
      },
    ],
    [
      'PUT',
      account('/workers/scripts/([^/]+)/domains/records'),
      ({ parts: [name], json }) => {
        workerOf(name!).domains = (json() as { origins: unknown }).origins
        return []
      },
    ],
    ['GET', /^\/zones$/, () => [{ id: 'zone', name: 'example.com' }]],
    ['GET', /^\/zones\/zone\/workers\/routes$/, () => []],
  ]

  async function answerTo(request: IncomingMessage, bytes: Buffer): Promise<unknown> {
    const path = request.url!.split('?')[0]!
    const asked = {
      bytes,
      json: () => JSON.parse(bytes.toString()) as unknown,
      form: () => new Response(bytes, { headers: { 'content-type': request.headers['content-type']! } }).formData(),
    }
    for (const [method, pattern, answer] of routes) {
      const match = method === request.method ? pattern.exec(path) : null
      if (match) return answer({ ...asked, parts: match.slice(1) })
    }
    throw new Refusal(7003, `The stand-in does not know ${request.method} ${path}.`)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    const told = `${request.method} ${request.url!.split('?')[0]}`
    state.requests.push(told)
    if (told === 'PUT /upload') {
      uploaded = bytes.toString()
      return response.setHeader('etag', createHash('md5').update(bytes).digest('hex')).end()
    }
    const answered = await answerTo(request, bytes).then(
      (result) => ({
        status: 200,
        body: {
          success: true,
          errors: [],
          messages: [],
          result,
          result_info: { page: 1, total_pages: 1, count: 1, total_count: 1, per_page: 50 },
        },
      }),
      (error: Error) => ({
        status: error instanceof Refusal ? 404 : 500,
        body: {
          success: false,
          errors: [{ code: error instanceof Refusal ? error.code : 1, message: error.message }],
          messages: [],
          result: null,
        },
      }),
    )
    await cloudflare.onRequest(told)
    return response
      .writeHead(answered.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answered.body))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const cloudflare: Cloudflare = {
    ...{ api, url: `http://127.0.0.1:${port}`, ...state },
    onRequest() {},
    async close() {
      server.closeAllConnections()
      server.close()
      await open.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return cloudflare
}

const serviceOf = ({ tag }: Worker) => ({
  default_environment: {
    environment: 'production',
    script: { tag: tag ?? 'tag', tags: [], last_deployed_from: 'wrangler' },
  },
})

/** Runs the statements in a text, all or none. */
async function query(database: D1Database, sql: string): Promise<object[]> {
  const statements = `${sql}\n`.split(/(?<=^(?:(?!--).)*);[ \t]*(?:--.*)?\n/m).filter((one) => /^\s*[^-\s]/m.test(one))
  return database.batch(statements.map((one) => database.prepare(one)))
}
