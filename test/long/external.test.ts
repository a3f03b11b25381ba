import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Engine, startEngine } from '../../src/local/engine/index.ts'
import { weir } from '../support/commands.ts'
import { spawned } from '../support/process.ts'

const database = "events `of` 'ours'"
let folder: string
let engine: Engine
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = mkdtempSync(`${tmpdir()}/weir-external-`)
  engine = await startEngine({ dataDir: `${folder}/server`, port: 0, user: 'weir', password: 'p:ss w/rd?' })
  const url = new URL(engine.url)
  url.username = 'weir'
  url.password = encodeURIComponent('p:ss w/rd?')
  url.searchParams.set('database', database)
  env = { ...process.env, CLICKHOUSE_URL: url.href }
})

afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('a ClickHouse server in CLICKHOUSE_URL, with a password and any database name', () => {
  it('is used by npm start and by commands; the API can also read from a list of replicas', async () => {
    const place = { continent: 'EU', database }
    const here = { name: 'here', url: engine.url, ...place, user: 'USER_HERE', password: 'PASSWORD_HERE' }
    const replicas = {
      CLICKHOUSE_REPLICAS: JSON.stringify([{ name: 'gone', url: 'http://127.0.0.1:9', ...place }, here]),
      USER_HERE: 'weir',
      PASSWORD_HERE: 'p:ss w/rd?',
    }
    mkdirSync(`${folder}/data`)
    expect(await weir(['migrate'], { dataDir: `${folder}/data`, env })).toMatchObject({ code: 0 })
    const flags = ['--json', '--port', '0', '--data-dir', `${folder}/data`, '--no-demo']
    const started = spawned('start', flags, { ...env, ...replicas })
    const { url, clickhouse, apiKey } = JSON.parse(await started.firstLine) as Record<string, string>
    expect(Object.fromEntries(new URL(clickhouse!).searchParams)).toEqual({
      database,
      user: 'weir',
      password: 'p:ss w/rd?',
    })

    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ name: 'Elsewhere', domain: 'elsewhere.example' })
    const created = await fetch(`${url}/api/websites`, { method: 'POST', headers, body })
    const { id } = (await created.json()) as { id: string }
    const row = {
      ...{ website_id: id, event_id: id, created_at: '2025-10-15 16:26:28.123', event_type: 2, event_name: 'join' },
    }
    const inserted = await fetch(`${clickhouse}&query=INSERT%20INTO%20ingest%20FORMAT%20JSONEachRow`, {
      method: 'POST',
      body: JSON.stringify(row),
    })
    expect(inserted.status).toBe(200)
    const answered = await fetch(`${url}/api/websites/${id}/events/stats?startAt=0&endAt=9999999999999`, { headers })
    expect(await answered.json()).toMatchObject({ data: { events: 1, visitors: 1, visits: 1, uniqueEvents: 1 } })
    expect([answered.headers.get('x-replica'), answered.headers.get('x-tries')]).toEqual(['here', '2'])
    started.child.kill('SIGTERM')
    expect((await started.ended).stderr).toContain('The replica gone (http://127.0.0.1:9) cannot be read: ')
    expect((await fetch(`${engine.url}/ping`)).status).toBe(200)
  })

  it('is reported, with the reason, if it refuses the password', async () => {
    const wrong = { ...env, CLICKHOUSE_PASSWORD: 'wrong' }
    const ended = await weir(['migrate'], { dataDir: `${folder}/data`, env: wrong })
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/Authentication failed/i)
    expect(ended.stderr).not.toContain('wrong')
  })
})
