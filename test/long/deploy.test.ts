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

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/weir-deploy-`)
  clickhouse = await startKeepingUsers(running.clickhouse)
  cloudflare = await startCloudflare()
})

afterAll(async () => {
  clickhouse.close()
  await cloudflare.close()
  rmSync(folder, { recursive: true, force: true })
})

/** A request or a statement without what differs from run to run. */
const kindOf = (text: string): string => text.replace(/[\da-f]{8}-[\da-f-]{27}/g, 'ID')

it('deploys once, whatever killed it, and can be taken away', async () => {
  const file = `${folder}/.env`
  writeFileSync(file, `CLICKHOUSE_URL='${clickhouse.url}/?database=killed'\nPUBLIC_URL='${cloudflare.url}'\n`)
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, WRANGLER_LOG_PATH: `${folder}/logs` },
    ...{ CLOUDFLARE_API_TOKEN: 'token', CLOUDFLARE_API_BASE_URL: cloudflare.api },
  }
  const weir = (...words: string[]) => spawned('weir', [...words, '--settings', file, '--json'], env)
  const killedAt = new Set<string>()
  for (;;) {
    const deploying = weir('deploy')
    /** Kills it after the first effect of a kind, before it hears of that. */
    const kill = (kind: string): void => {
      if (killedAt.has(kind)) return
      killedAt.add(kind)
      for (const pid of family(deploying.child.pid!)) process.kill(pid, 'SIGKILL')
    }
    cloudflare.onRequest = (request) => (request.startsWith('GET ') ? undefined : kill(kindOf(request)))
    clickhouse.onStatement = (statement) =>
      (/^(CREATE DATABASE|CREATE USER|GRANT)\b/m.exec(statement) ?? []).forEach(kill)
    const { code, stdout, signal, stderr } = await deploying.ended
    if (signal === 'SIGKILL') continue
    expect([code, stderr]).toEqual([0, expect.anything()])
    expect(JSON.parse(stdout)).toMatchObject({ url: cloudflare.url, username: 'admin' })
    break
  }
  // D1, its migrations, the user, a Worker, its secrets, files, code and address; tables and users of ClickHouse.
  expect(killedAt.size).toBeGreaterThan(10)
  expect(cloudflare.databases).toHaveLength(1)
  const settings = parseEnv(readFileSync(file, 'utf8')) as Record<string, string>
  const { secrets, isOnWorkersDev } = cloudflare.workers.get('weir')!
  expect(secrets).toMatchObject({
    AUTH_SECRET: settings.AUTH_SECRET,
    CLICKHOUSE_PASSWORD: settings.WEIR_READER_PASSWORD,
  })
  expect(isOnWorkersDev).toBe(true)
  const once = await weir('deploy').ended
  expect(JSON.parse(once.stdout)).not.toHaveProperty('password')
  const people = { username: 'admin', password: settings.WEIR_PASSWORD }
  const headers = { 'content-type': 'application/json' }
  const signedIn = await fetch(`${cloudflare.url}/api/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify(people),
  })
  const { token } = (await signedIn.json()) as { token: string }
  const listed = await fetch(`${cloudflare.url}/api/websites`, { headers: { authorization: `Bearer ${token}` } })
  expect(await listed.json()).toMatchObject({ count: 1, data: [{ domain: 'www.example.com' }] })

  const undone = await weir('undeploy', '--yes').ended
  expect(cloudflare.workers.size).toBe(0)
  const { stays } = JSON.parse(undone.stdout) as { stays: Record<string, string> }
  expect(Object.values(stays)).toEqual([
    ...['DROP DATABASE killed', 'DROP USER weir_reader, weir_visitor, weir_writer, weir_sealer'],
    ...['npx wrangler d1 delete weir', `rm ${file}`],
  ])
}, 1_800_000)
