import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { api } from '../../src/app.ts'
import { root } from '../../src/local/paths.ts'
import { metadata } from '../support/metadata.ts'
import { running, send } from '../support/weir.ts'

const context = { waitUntil() {}, passThroughOnException() {}, props: {} }
const html = readFileSync(`${root}/src/pages/setup.html`, 'utf8')
const ASSETS = { fetch: async () => new Response(html) }
const AUTH_SECRET = 'a secret of 32 characters or more'

/** A D1 without tables, and one without users. */
const unmigrated = d1(() => Promise.reject(new Error('D1_ERROR: no such table: users')))
const empty = d1(async () => null)

function d1(first: () => Promise<unknown>) {
  return { prepare: () => ({ bind: () => ({ first, all: async () => ({ results: [] }) }) }) }
}

let logged: string[]

beforeEach(() => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((line: string) => void logged.push(line))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

async function open(env: object, path = '/setup') {
  const answer = await api().request(`http://weir.example.com${path}`, {}, { ASSETS, ...env }, context as never)
  return { status: answer.status, text: await answer.text() }
}

/** The setup page's path in the log. */
const addressIn = (lines: readonly string[]): string => /\/setup\?code=[\da-f]{32}/.exec(lines.join('\n'))![0]

const inDatabase = (database: string): string => {
  const url = new URL(running.clickhouse)
  url.searchParams.set('database', database)
  return url.href
}

it('the setup page lists what a new Worker lacks, with commands, if the code from the log is given', async () => {
  const nothing = { METADATA: unmigrated }
  const first = await open(nothing)
  expect(first).toMatchObject({ status: 200, text: expect.stringContaining('npx wrangler tail weir') })
  expect(first.text).not.toContain('AUTH_SECRET')
  expect((await open(nothing, `/setup?code=${'0'.repeat(32)}`)).text).toBe(first.text)
  const { text } = await open(nothing, addressIn(logged))
  for (const words of ['AUTH_SECRET has fewer than 32', 'D1 has no tables.', 'ClickHouse cannot be read: ']) {
    expect(text).toContain(words)
  }
  expect(text).toContain('npx wrangler d1 migrations apply METADATA --remote')
})

it('the setup page lists missing tables and the missing user; its code expires after 20 minutes', async () => {
  // The log sums up identical lines within ten seconds.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 100_000 })
  const env = { METADATA: empty, AUTH_SECRET, CLICKHOUSE_URL: inDatabase('default') }
  await open(env)
  const address = addressIn(logged)
  const { text } = await open(env, address)
  expect(text).toMatch(/There is no user\.[\s\S]*user create[\s\S]*events is missing: run migrate[\s\S]*weir -- access/)
  expect(text).not.toContain('AUTH_SECRET has')
  vi.setSystemTime(Date.now() + 1_200_000)
  expect((await open(env, address)).text).toContain('npx wrangler tail')
})

it('the code of the setup page cannot be computed if secrets are empty or too short', async () => {
  for (const secret of ['', 'short']) {
    await open({ METADATA: unmigrated, AUTH_SECRET: secret, CLICKHOUSE_PASSWORD: '' })
    const now = Math.floor(Date.now() / 600_000)
    const code = createHash('sha256').update(`setup ${now} ${secret}`).digest('hex').slice(0, 32)
    const path = `/setup?code=${code}`
    const { text } = await open({ METADATA: unmigrated, AUTH_SECRET: secret, CLICKHOUSE_PASSWORD: '' }, path)
    expect(text).toContain('npx wrangler tail')
  }
})

it('the setup page is a 404 once nothing is missing', async () => {
  expect((await send('/setup')).status).toBe(404)
  expect((await open({ METADATA: metadata, AUTH_SECRET, CLICKHOUSE_URL: inDatabase('weir') })).status).toBe(404)
  expect(logged).toEqual([])
})
