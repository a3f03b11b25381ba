import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Cloudflare, startCloudflare } from '../support/doubles/cloudflare.ts'
import { type KeepingUsers, startKeepingUsers } from '../support/doubles/keeping-users.ts'
import { family, spawned } from '../support/process.ts'
import { running } from '../support/weir.ts'

let cloudflare: Cloudflare
let clickhouse: KeepingUsers
let folder: string
let file: string

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/weir-deploy-`)
  file = `${folder}/.env`
  clickhouse = await startKeepingUsers(running.clickhouse)
  cloudflare = await startCloudflare()
})

afterAll(async () => {
  clickhouse.close()
  await cloudflare.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A request or a statement, without the parts that differ from run to run. */
const kindOf = (text: string): string => text.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')

const settings = (): Record<string, string> => parseEnv(readFileSync(file, 'utf8')) as Record<string, string>

const weir = (...words: string[]) =>
  spawned('weir', [...words, '--settings', file, '--json'], {
    ...{ PATH: process.env.PATH, HOME: folder, WRANGLER_LOG_PATH: `${folder}/logs` },
    ...{ CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_API_BASE_URL: cloudflare.api },
  })

/** Deploys. Kills the command at its first effect of a kind that is not in the set, before it receives the response. */
async function deployUnless(killedAt: Set<string>) {
  const deploying = weir('deploy')
  const kill = (kind: string): void => {
    if (killedAt.has(kind)) return
    killedAt.add(kind)
    for (const pid of family(deploying.child.pid!)) process.kill(pid, 'SIGKILL')
  }
  cloudflare.onRequest = (request) => (request.startsWith('GET ') ? undefined : kill(kindOf(request)))
  clickhouse.onStatement = (statement) => {
    for (const kind of /^(CREATE DATABASE|CREATE USER|GRANT)\b/m.exec(statement) ?? []) kill(kind)
  }
  return deploying.ended.finally(() => {
    cloudflare.onRequest = () => {}
    clickhouse.onStatement = () => {}
  })
}

it('deploy creates everything once, wherever it was killed', async () => {
  writeFileSync(
    file,
    `CLICKHOUSE_URL='${clickhouse.url}/?database=killed'\nPUBLIC_URL='${cloudflare.url}'\nWEIR_D1_COPIES='auto'\n`,
  )
  const killedAt = new Set<string>()
  let ended = await deployUnless(killedAt)
  while (ended.signal === 'SIGKILL') ended = await deployUnless(killedAt)
  expect([ended.code, ended.stderr]).toEqual([0, expect.anything()])
  // D1, its migrations, the user, a Worker, its secrets, files, code and address; ClickHouse tables and users.
  expect(killedAt.size).toBeGreaterThan(10)
  expect(cloudflare.databases).toHaveLength(1)
  const { secrets, isOnWorkersDev } = cloudflare.workers.get('weir')!
  const { AUTH_SECRET, WEIR_READER_PASSWORD, WEIR_ADMIN_PASSWORD } = settings()
  expect(secrets).toMatchObject({ AUTH_SECRET, CLICKHOUSE_PASSWORD: WEIR_READER_PASSWORD })
  expect(isOnWorkersDev).toBe(true)

  const again = await weir('deploy').ended
  expect(JSON.parse(again.stdout)).not.toHaveProperty('password')
  const ask = async (path: string, init: RequestInit) => (await fetch(`${cloudflare.url}${path}`, init)).json()
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username: 'admin', password: WEIR_ADMIN_PASSWORD })
  const { token } = (await ask('/api/auth/login', { method: 'POST', headers, body })) as { token: string }
  const listed = await ask('/api/websites', { headers: { authorization: `Bearer ${token}` } })
  expect(listed).toMatchObject({ count: 1, data: [{ domain: 'www.example.com' }] })
}, 3_600_000)

it('deploy refuses to replace AUTH_SECRET unasked, or to change the jurisdiction of existing data', async () => {
  const whole = readFileSync(file, 'utf8')
  const { AUTH_SECRET } = settings()
  writeFileSync(file, whole.replace(/^AUTH_SECRET=.*$/m, ''))
  const { code, stderr } = await weir('deploy').ended
  expect([code, stderr]).toEqual([2, expect.stringContaining('has an AUTH_SECRET that ')])
  expect(cloudflare.workers.get('weir')!.secrets.AUTH_SECRET).toBe(AUTH_SECRET)
  writeFileSync(file, whole.replace(/^WEIR_JURISDICTION=.*$/m, "WEIR_JURISDICTION='eu'"))
  const moved = await weir('deploy').ended
  expect([moved.code, moved.stderr]).toEqual([2, expect.stringContaining('is in the jurisdiction (none)')])
  writeFileSync(file, whole.replace(/^WEIR_JURISDICTION=.*$/m, "WEIR_JURISDICTION='us'\nWEIR_WORKER='weir-us'"))
  const unknown = await weir('deploy').ended
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('npx wrangler@latest d1 create weir-us')])
  writeFileSync(file, whole)
}, 600_000)
