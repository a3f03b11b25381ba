import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { root } from '../../../src/local/paths.ts'
import { migrateEvents, migrateMetadata } from '../../../src/local/storage/migrations.ts'
import { weir } from '../../support/commands.ts'
import { inTurn, isLong, runs } from '../../support/long.ts'
import { seed } from '../../support/seed.ts'
import { type Asked, ask, frozen, hashOf, type Manifest, type Started, startFolder, touched } from './folder.ts'
import { make } from './make.ts'

/**
 * Starts this version on the data folders that released versions made. Until the first release, and in long runs, this
 * version makes one for itself. `npm test` asks a different eighth of the questions in each run, and `npm run
 * test:long` asks all.
 */

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/weir-released-`)
const own = 'this version'
const released = readdirSync(here).flatMap((name) => /^(.*)\.tgz$/.exec(name)?.[1] ?? [])
const names = [...released, ...(isLong || released.length === 0 ? [own] : [])]

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inPart = <One>(all: readonly One[]) => inTurn(all, seed, 8)

/** The archive that this version makes. */
async function madeNow(): Promise<string> {
  const archive = `${folder}/own.tgz`
  await make(archive, inPart)
  return archive
}

/** A copy of `sql/`, with files that a later version might add. */
function laterSql(): string {
  const later = mkdtempSync(`${folder}/later-`)
  cpSync(`${root}/sql`, `${later}/sql`, { recursive: true })
  writeFileSync(`${later}/sql/events/9999_later.sql`, 'ALTER TABLE events ADD COLUMN IF NOT EXISTS later UInt8;\n')
  writeFileSync(`${later}/sql/metadata/9999_later.sql`, 'ALTER TABLE websites ADD COLUMN later TEXT;\n')
  return later
}

/** The reports whose answers follow the clock. */
const ofNow = ['/api/websites/:websiteId/active', '/api/realtime/:websiteId']

const reportsWithout = (asked: readonly Asked[]): string[] =>
  endpoints
    .filter(({ kind }) => kind === 'report')
    .map(({ path }) => path)
    .filter((path) => {
      const shape = new RegExp(`^${path.replace(/:\w+/g, '[^/?]+')}(?:\\?|$)`)
      return !asked.some((one) => shape.test(one.path))
    })

describe.each(names)('a data folder made by %s', (name) => {
  const place = `${folder}/${name}`
  let manifest: Manifest
  let started: Started
  let url: string

  beforeAll(async () => {
    mkdirSync(place)
    execFileSync('tar', ['-xzf', name === own ? await madeNow() : `${here}${name}.tgz`, '-C', place])
    manifest = JSON.parse(readFileSync(`${place}/manifest.json`, 'utf8')) as Manifest
    // Weir would refuse to start, with another message.
    expect(touched(manifest), 'Released files never change: write a new one.').toEqual([])
    started = await startFolder(`${place}/data`)
    url = started.url
  }, 240_000)

  afterAll(() => started?.close())

  /** Later versions may add fields. */
  const answersAreThose = async () => {
    for (const one of name === own ? manifest.asked : inPart(manifest.asked))
      expect(await ask(url, manifest.key, one), one.path).toMatchObject(one.answer as object)
  }

  /** The views of the website whose events were waiting. */
  const waited = async (): Promise<number> => {
    const { websiteId, at } = manifest.waiting
    const range = new URLSearchParams({ startAt: String(at - 60_000), endAt: String(at + 60_000) })
    const answer = await ask(url, manifest.key, { path: `/api/websites/${websiteId}/stats?${range}` })
    return (answer as { pageviews: number }).pageviews
  }

  it('used sql files that this version still has; a start applies only newer ones', () => {
    expect(Object.keys(manifest.sql).length).toBeGreaterThan(15)
    const newer = frozen(root).filter((path) => !(path in manifest.sql))
    expect(started.applied).toEqual(newer.map((path) => path.slice(path.lastIndexOf('/') + 1)))
  })

  it('answers every report as before, and lists everything that users have saved', async () => {
    expect(manifest.asked.length).toBeGreaterThan(name === own ? runs(10, 100) : 100)
    if (name === own && isLong) expect(reportsWithout(manifest.asked)).toEqual(ofNow)
    await answersAreThose()
  })

  it('counts the events that waited in the log once, and its users can sign in', async () => {
    await expect.poll(waited, { timeout: 20_000 }).toBe(manifest.waiting.events)
    expect(await ask(url, '', { path: '/api/auth/login', body: manifest.signIn })).toHaveProperty('token')
  })

  it('has no faults that check would report', async () => {
    const openMetadata = async () => ({ metadata: started.metadata, close: async () => {} })
    const some = isLong ? [] : ['hourly_visits']
    const { code, stdout, stderr } = await weir(['check', ...some], { dataDir: `${place}/data`, openMetadata })
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('hourly_visits: agrees with its sources')
    // By now, the log would have sent its events a second time.
    expect(await waited()).toBe(manifest.waiting.events)
  })

  it.each(isLong ? ['the Worker'] : [])('can be read by %s that made it, but not by its commands', async () => {
    const later = laterSql()
    const { client, server } = started.clickhouse
    expect(await migrateEvents(client, server, `${later}/sql/events`)).toEqual(['9999_later.sql'])
    expect(await migrateMetadata(started.metadata, `${later}/sql/metadata`)).toEqual(['9999_later.sql'])
    const refused = 'was made by another version of Weir (its 9999_later.sql differs)'
    await expect(migrateEvents(client, server)).rejects.toThrow(refused)
    await expect(migrateMetadata(started.metadata)).rejects.toThrow(refused)
    url = await started.rollBack(readFileSync(`${place}/worker.js`, 'utf8'))
    await answersAreThose()
    expect(await waited()).toBe(manifest.waiting.events)
  })
})

describe('a release', () => {
  it('has an archive of a data folder, made by npx tsx test/local/released/make.ts', () => {
    const changelog = readFileSync(`${root}/CHANGELOG.md`, 'utf8')
    const headings = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)(.*)$/gm)]
    const versions = headings.filter(([, , rest]) => !rest!.includes('unreleased')).map(([, version]) => version!)
    expect(headings.length).toBeGreaterThan(0)
    expect(released.filter((one) => !one.startsWith('0.')).sort()).toEqual(versions.sort())
  })

  it('freezes its sql files: a file that was changed, renamed or deleted is found', () => {
    const checkout = laterSql()
    const sql = Object.fromEntries(frozen(root).map((path) => [path, hashOf(`${root}/${path}`)]))
    const [changed, renamed, deleted] = Object.keys(sql).map((path) => [path, `${checkout}/${path}`] as const)
    expect(touched({ sql }, checkout)).toEqual([])
    writeFileSync(changed![1], '\n', { flag: 'a' })
    cpSync(renamed![1], `${renamed![1]}.sql`)
    for (const [, file] of [renamed!, deleted!]) rmSync(file)
    expect(touched({ sql }, checkout)).toEqual([changed![0], renamed![0], deleted![0]])
  })
})
