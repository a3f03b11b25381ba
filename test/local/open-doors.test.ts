import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hostileBytes, sendBytes, statusOf } from '../support/bytes.ts'
import { putTables } from '../support/migrated.ts'
import { family, isAlive, type Script, spawned } from '../support/process.ts'
import { compiledFolder } from '../support/temporary.ts'

/** Tests one `npm start`: its ports, files and processes. Restarts come last, because the last one ends it. */
const folder = mkdtempSync(`${tmpdir()}/weir-doors-`)
const dataDir = `${folder}/data`
/** The run's temporary folder, usually shared by all users of a machine. Its path is too long for a socket. */
const temporary = `${folder}/${'temporary-'.repeat(12)}`
let script: Script
let stderr = ''
let pids: readonly number[]
let ports: { readonly all: readonly number[]; readonly api: number; readonly clickhouse: number }
let secrets: readonly string[]

/**
 * Node options for a process that throws an uncaught error when it receives the signal, and whose restart delays are 50
 * times shorter.
 */
const options = `--import=data:text/javascript,${encodeURIComponent(
  `process.argv[1]?.endsWith('start.ts') && process.on('SIGUSR2', () => {
     Promise.reject(new Error('A rejection of a library.'))
     setTimeout(() => { throw new Error('An exception of a library.') })
   })
   const [wait, waits] = [setTimeout, [500, 1000, 2000, 4000, 8000]]
   globalThis.setTimeout = (work, time, ...rest) => wait(work, waits.includes(time) ? time / 50 : time, ...rest)`,
)}`

/** The addresses and ports on which these processes listen, from Linux's tables. */
function listening(of: readonly number[]): { address: string; port: number }[] {
  const sockets = new Set(
    of.flatMap((pid) => readdirSync(`/proc/${pid}/fd`).flatMap((file) => linkOf(`/proc/${pid}/fd/${file}`))),
  )
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state !== '01' && sockets.has(`socket:[${inode}]`))
      .map(([, local]) => local!.split(':'))
      .map(([address, port]) => ({ address: address!, port: Number.parseInt(port!, 16) })),
  )
}

function linkOf(path: string): string[] {
  try {
    return [readlinkSync(path)]
  } catch {
    return []
  }
}

beforeAll(async () => {
  mkdirSync(temporary)
  // Otherwise, tsx would compile everything once more.
  mkdirSync(`${tmpdir()}/${compiledFolder}`, { recursive: true })
  symlinkSync(`${tmpdir()}/${compiledFolder}`, `${temporary}/${compiledFolder}`)
  await putTables(dataDir)
  const flags = ['--json', '--port', '0', '--clickhouse-port', '0', '--data-dir', dataDir, '--no-demo']
  script = spawned('start', flags, { ...process.env, TMPDIR: temporary, NODE_OPTIONS: options })
  script.child.stderr!.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const printed = JSON.parse(await script.firstLine) as Readonly<Record<string, string | null>>
  expect(printed).toMatchObject({ websiteId: null, share: null, username: 'admin' })
  const [url, clickhouse] = [printed.url!, printed.clickhouse!]
  pids = family(script.child.pid!)
  const portOf = (text: string) => Number(new URL(text).port)
  ports = { all: listening(pids).map(({ port }) => port), api: portOf(url), clickhouse: portOf(clickhouse) }
  const kept = ['admin-key', 'admin-password', 'auth-secret', 'metrics-token', 'clickhouse/password']
  secrets = kept.map((name) => readFileSync(`${dataDir}/${name}`, 'utf8'))
  expect(secrets.every((secret) => secret.length > 20)).toBe(true)
})

afterAll(async () => {
  script.child.kill('SIGTERM')
  await script.ended
  rmSync(folder, { recursive: true, force: true })
})

const commandOf = (pid: number): string => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

/** The process whose command line contains `command`. */
const processOf = (command: string): number =>
  family(script.child.pid!).find((pid) => commandOf(pid).includes(command))!

const asPage = (path: string, host: string) => `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`

/** The status of `/ready`. */
const readiness = async (): Promise<number> => statusOf(await sendBytes(ports.api, asPage('/ready', 'localhost')))

/** Expects that everything still runs: nothing was restarted, and both engines respond. */
async function expectUnharmed(): Promise<void> {
  expect(script.child.exitCode).toBe(null)
  expect(family(script.child.pid!)).toEqual(expect.arrayContaining([...pids]))
  await expect.poll(readiness).toBe(200)
}

const stack = ['admin-key', 'auth-secret']
  .map((name) => `${dataDir}/${name}`)
  .flatMap((path) => [`    at read (${path}:1:1)`, `    at read (file://${path}:1:1)`])
const failure = JSON.stringify({ name: 'Error', message: 'x', stack: ['Error: x', ...stack].join('\n') })

const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: localhost', ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n')

/** Requests for features of Miniflare and workerd that would otherwise be open to anyone. */
const attacks: readonly (readonly [name: string, bytes: string])[] = [
  ['an error page', request('POST /core/error', ['Accept: text/html'], failure)],
  ['an error as text', request('POST /core/error', [], failure)],
  ['an error page from another origin', request('POST /core/error', ['Accept: */*', 'Origin: http://x'], failure)],
  ['an error at another path', request('POST /', ['Accept: */*', 'MF-Original-URL: http://x/core/error'], failure)],
  ['a service of Node', request('GET /', ['MF-Custom-Node-Service: x'])],
  ['a service', request('GET /', ['MF-Custom-Fetch-Service: x'])],
  ['a file', request('POST /core/store-temp-file?extension=txt', [], 'x')],
  ['a browser', request('GET /browser/launch')],
  ['the proxy of bindings', request('GET /cdn-cgi/platform-proxy', ['MF-Op: GET', 'MF-Op-Target: 1'])],
  ['another Worker', request('GET /', ['MF-Route-Override: shared-metadata'])],
  ['details that are not JSON', request('GET /', ['MF-CF-Blob: {'])],
  ['a web socket', request('GET /cdn-cgi/mf/reload', ['Connection: Upgrade', 'Upgrade: websocket'])],
  [
    'statements for D1',
    request('POST /', ['Authorization: Bearer x'], '[{"query":"SELECT * FROM users","values":[]}]'),
  ],
]

describe('the ports of npm start', () => {
  it('are five local ones: API, ClickHouse, D1, purges, and one of Miniflare’s that refuses everything', () => {
    const found = listening(pids)
    expect(found.map(({ address }) => address)).toEqual(Array(5).fill('0100007F'))
    expect(ports.all).toEqual(expect.arrayContaining([ports.api, ports.clickhouse]))
  })

  it.each([
    ['requests that are not HTTP', hostileBytes],
    ['attacks', attacks],
  ])('reveal no secret, and survive %s', async (_, requests) => {
    const asked = ports.all.flatMap((port) => requests.map(([name, bytes]) => [port, name, bytes] as const))
    const answers = await Promise.all(
      asked.map(async ([port, name, bytes]) => [port, name, await sendBytes(port, bytes, 2000)] as const),
    )
    const told = answers.filter(
      ([, , text]) => text.includes('server-error') || secrets.some((one) => text.includes(one)),
    )
    expect(told).toEqual([])
    expect(answers.filter(([, , text]) => text !== '').length).toBeGreaterThan(requests.length)
    await expectUnharmed()
    if (requests === attacks) return
    await expect.poll(() => stderr).toContain('not valid HTTP')
    expect(stderr.match(/not valid HTTP/g)).toHaveLength(1)
    expect(stderr).not.toMatch(/stack:|c\+\+|rot13|evil\.example/)
  })

  it('refuse pages whose own hostname points at this machine; the API reveals no more to them', async () => {
    const others = ports.all.filter((port) => port !== ports.api)
    for (const port of others)
      expect(await sendBytes(port, asPage('/ping', 'evil.example'))).toMatch(/^HTTP\/1.1 403 Forbidden/)
    // Pages from any origin may read the API without a credential, so another hostname changes nothing.
    const body = async (path: string, host: string) =>
      (await sendBytes(ports.api, asPage(path, host))).split('\r\n\r\n')[1]!.replaceAll(/"requestId":"[^"]*"/g, '')
    for (const path of ['/', '/openapi.json', '/api/config', '/api/websites', '/metrics', '/share/x', '/ready']) {
      const [own, other] = [await body(path, `127.0.0.1:${ports.api}`), await body(path, 'evil.example')]
      expect(other.replaceAll('evil.example', `127.0.0.1:${ports.api}`)).toBe(own)
      expect(secrets.filter((secret) => own.includes(secret))).toEqual([])
    }
  })
})

describe('the machine’s other users', () => {
  it('cannot open any file in a run’s folders', () => {
    // The folder of `tsx` contains only public code.
    const made = readdirSync(temporary).filter((name) => name !== compiledFolder)
    expect(made.length).toBeGreaterThan(0)
    const open = [dataDir, ...made.map((name) => `${temporary}/${name}`)].filter(
      (path) => (statSync(path).mode & 0o077) !== 0,
    )
    expect(open).toEqual([])
  })

  it('cannot see any secret in the arguments of Weir’s processes', () => {
    for (const pid of pids) {
      expect(secrets.filter((secret) => commandOf(pid).includes(secret))).toEqual([])
    }
  })
})

describe('an uncaught error in a library', () => {
  it('is printed to stderr, and Weir keeps running', async () => {
    process.kill(processOf('src/local/start.ts'), 'SIGUSR2')
    const told = (what: string) => `Something failed unexpectedly. Weir keeps running: ${what} of a library.\n`
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain(told('A rejection'))
    await expect.poll(() => stderr, { timeout: 20_000 }).toContain(told('An exception'))
    await expectUnharmed()
  })
})

/** Kills this process while the script is stopped, so that the script restarts nothing until `work` is done. */
async function killed(command: string, work: () => Promise<unknown>): Promise<void> {
  const main = processOf('src/local/start.ts')
  process.kill(main, 'SIGSTOP')
  process.kill(processOf(command), 'SIGKILL')
  await work().finally(() => process.kill(main, 'SIGCONT'))
}

/** Listens on a loopback port as soon as the port is free. */
const listens = (server: Server, port: number): Promise<void> =>
  new Promise((isListening) => {
    server.on('error', () => server.listen(port, '127.0.0.1'))
    server.listen(port, '127.0.0.1', isListening)
  })

describe('a killed process of npm start', () => {
  it('is restarted', async () => {
    // A response is cached for a second.
    await killed('engine', () => expect.poll(readiness).toBe(503))
    await expect.poll(() => stderr, { timeout: 60_000 }).toContain('The embedded ClickHouse is running again.')
    expect(stderr).toContain('The embedded ClickHouse ended unexpectedly (SIGKILL). Restarting it.')
    process.kill(processOf('bin/workerd'), 'SIGKILL')
    await expect.poll(() => stderr, { timeout: 60_000 }).toContain('workerd is running again.')
    await expect.poll(readiness).toBe(200)
  })

  it('ends npm start with an error code after five restarts that fail, and each reason is printed', async () => {
    const all = family(script.child.pid!)
    const other = createServer()
    onTestFinished(() => void other.close())
    // Another process takes over the port before the next check.
    await killed('bin/workerd', () => listens(other, ports.api))
    const { code, stderr } = await script.ended
    expect(code).toBe(1)
    const reason = 'workerd ended unexpectedly (a crash or a kill).'
    expect(stderr).toContain(`${reason} Restarting it.\n`)
    // The restart of the first test counts as well, unless workerd has run for a minute since.
    const inVain = stderr.split(`workerd did not start: Port ${ports.api} is in use by process ${process.pid} (`).length
    expect([4, 5]).toContain(inVain)
    expect(stderr.trimEnd().split('\n').at(-1)).toBe(`${reason} It was restarted 5 times and does not keep running.`)
    await expect.poll(() => all.filter(isAlive), { timeout: 20_000 }).toEqual([])
  })
})
