import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it } from 'vitest'
import { weir } from '../support/commands.ts'
import { spawned } from '../support/process.ts'

it('engine starts only ClickHouse, creates the tables, prints its URL, and stops on a signal', async () => {
  const dataDir = mkdtempSync(`${tmpdir()}/weir-engine-`)
  const { CLICKHOUSE_URL: _, ...env } = process.env
  const engine = spawned('weir', ['engine', '--port', '0', '--data-dir', dataDir], env)
  const url = await engine.firstLine
  const insert = encodeURIComponent("INSERT INTO heartbeats (source) VALUES ('')")
  expect((await fetch(`${url}&query=${insert}`, { method: 'POST' })).status).toBe(200)
  const count = encodeURIComponent('SELECT count() FROM events')
  expect(await (await fetch(`${url}&query=${count}`)).text()).toBe('0\n')
  const second = await weir(['engine', '--port', '0'], { dataDir })
  expect([second.code, second.stdout]).toEqual([1, ''])
  expect(second.stderr).toContain('is in use by process')
  engine.child.kill('SIGTERM')
  expect((await engine.ended).stdout).toBe(`${url}\n`)
  await expect(fetch(`${url}&query=${count}`)).rejects.toThrow('fetch failed')
  rmSync(dataDir, { recursive: true, force: true })
})

it.each([
  ['--port: Must be a port', ['--port', 'x'], {}],
  ['--port: Must be a port', ['--port', '70000'], {}],
  ['Unset it', ['--port', '0'], { CLICKHOUSE_URL: 'http://127.0.0.1:1' }],
])('engine refuses impossible settings: %s', async (told, flags, env) => {
  const { code, stderr, stdout } = await weir(['engine', ...flags], { env })
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toContain(told)
})
