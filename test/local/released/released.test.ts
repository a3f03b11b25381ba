import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compare } from 'semver'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endpoints } from '../../../src/endpoints/index.ts'
import { openMetadata } from '../../../src/local/commands/opened.ts'
import { root } from '../../../src/local/paths.ts'
import { migrateEvents, migrateMetadata } from '../../../src/local/storage/migrations.ts'
import { version } from '../../../src/version.ts'
import { codeAt } from '../../support/codes.ts'
import { weir } from '../../support/commands.ts'
import { inTurn, isLong, runs } from '../../support/long.ts'
import { seed } from '../../support/seed.ts'
import { soon } from '../../support/soon.ts'
import { type Asked, ask, type Frozen, frozenNow, type Manifest, type Started, startFolder, touched } from './folder.ts'
import { firefox, make } from './make.ts'

/**
 * Starts this version on the data folders that released versions made. In long runs, this version also makes one for
 * itself. All questions are asked of the newest release's folder. Of the others, `npm test` asks a different eighth in
 * each run, and `npm run test:long` asks all.
 */

const here = fileURLToPath(new URL('.', import.meta.url))
const folder = mkdtempSync(`${tmpdir()}/weir-released-`)
const own = 'this version'
const released = readdirSync(here)
  .flatMap((name) => /^(.*)\.tgz$/.exec(name)?.[1] ?? [])
  .sort(compare)
const names = [...released, ...(isLong ? [own] : [])]
const newest = released.at(-1)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const inPart = <One>(all: readonly One[]) => inTurn(all, seed, 8)

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
  const archive = name === own ? `${folder}/own.tgz` : `${here}${name}.tgz`
  let frozen: Frozen
  let manifest: Manifest
  let started: Started
  let url: string

  beforeAll(
    async () => {
      mkdirSync(place)
      if (name === own) await make(archive)
      execFileSync('tar', ['-xzf', archive, '-C', place])
      frozen = JSON.parse(readFileSync(archive.replace(/\.tgz$/, '.json'), 'utf8')) as Frozen
      manifest = JSON.parse(readFileSync(`${place}/manifest.json`, 'utf8')) as Manifest
      // Weir would refuse to start, with another message.
      expect(touched(frozen), 'Released files never change: write a new one.').toEqual([])
      started = await startFolder(`${place}/data`)
      url = started.url
    },
    runs(240_000, 1_200_000),
  )

  afterAll(() => started?.close())

  /** Later versions may add fields. */
  const answersAre = async (asked: readonly Asked[], at = url) => {
    for (const { answer, ...question } of asked)
      expect(await ask(at, manifest.key, question), question.path).toMatchObject(answer as object)
  }

  const answersAreThose = (at = url) => answersAre(name === newest ? manifest.asked : inPart(manifest.asked), at)

  it('used sql files that this version still has; a start applies only newer ones, whose names come later', () => {
    expect([frozen.version, manifest.version]).toEqual(name === own ? [version, version] : [name, name])
    const old = Object.keys(frozen.sql)
    expect(old.length).toBeGreaterThan(15)
    const newer = Object.keys(frozenNow().sql).filter((path) => !old.includes(path))
    expect(started.applied).toEqual(newer.map((path) => path.slice(path.lastIndexOf('/') + 1)))
    for (const path of newer) {
      const before = old.filter((one) => dirname(one) === dirname(path))
      expect(before.filter((one) => one > path)).toEqual([])
    }
  })

  it('used migrations of Durable Objects that wrangler.toml still has', () => {
    const { migrations } = frozenNow()
    expect(frozen.migrations.length).toBeGreaterThan(0)
    expect(migrations.slice(0, frozen.migrations.length)).toEqual(frozen.migrations)
  })

  it('answers every report as before, and lists everything that users have saved', async () => {
    expect(manifest.asked.length).toBeGreaterThan(100)
    if (name === own) expect(reportsWithout(manifest.asked)).toEqual(ofNow)
    await answersAreThose()
  })

  it('stores once everything that waited in the log, and its users can sign in', async () => {
    await soon(() => answersAre(manifest.waiting))
    expect(await ask(url, '', { path: '/api/auth/login', body: manifest.signIn })).toHaveProperty('token')
  })

  it('still asks for a second factor, and knows its secret', async () => {
    const { secret, ...signIn } = manifest.second
    const first = (await ask(url, '', { path: '/api/auth/login', body: signIn })) as Record<string, string>
    expect(first).toEqual({ requiresTwoFactor: true, partialToken: expect.any(String) })
    const verify = { path: '/api/2fa/verify', body: { token: codeAt(secret, Date.now()) }, key: first.partialToken! }
    expect(await ask(url, '', verify)).toHaveProperty('token')
  })

  it('has no faults that check would report', async () => {
    const openMetadata = async () => ({ metadata: started.metadata, close: async () => {} })
    const some = ['hourly_visits', 'chained_hours']
    const sealed = await started.clickhouse.client.query({ query: 'SELECT 1 FROM seals', format: 'JSONEachRow' })
    expect((await sealed.json()).length).toBeGreaterThan(100)
    const { code, stdout, stderr } = await weir(['check', ...(isLong ? [] : some)], {
      dataDir: `${place}/data`,
      openMetadata,
    })
    expect([code, stderr]).toEqual([0, ''])
    for (const table of some) expect(stdout).toContain(`${table}: agrees with its sources`)
    // By now, the log would have sent its events a second time.
    await answersAre(manifest.waiting)
  })

  it.each(isLong ? ['its backup'] : [])('answers every report as before from %s', async () => {
    const dataDir = `${place}/restored`
    const { code } = await weir(['restore', '--from', `${place}/backup`], { dataDir, openMetadata })
    const restored = await startFolder(dataDir)
    try {
      await answersAreThose(restored.url)
    } finally {
      await restored.close()
    }
    expect(code).toBe(0)
  })

  it.each(name === newest ? ['the Worker'] : [])('is used by %s that made it, but not by its commands', async () => {
    const later = laterSql()
    const { client, server } = started.clickhouse
    expect(await migrateEvents(client, server, `${later}/sql/events`)).toEqual(['9999_later.sql'])
    expect(await migrateMetadata(started.metadata, `${later}/sql/metadata`)).toEqual(['9999_later.sql'])
    const refused = 'was made by another version of Weir (its 9999_later.sql differs)'
    await expect(migrateEvents(client, server)).rejects.toThrow(refused)
    await expect(migrateMetadata(started.metadata)).rejects.toThrow(refused)
    url = await started.rollBack(readFileSync(`${place}/worker.js`, 'utf8'))
    await answersAreThose()
    await answersAre(manifest.waiting)
    const website = { name: 'Later', domain: 'later.example' }
    const made = (await ask(url, manifest.key, { path: '/api/websites', body: website })) as { id: string }
    const headers = { 'user-agent': firefox }
    const body = JSON.stringify({ type: 'event', payload: { website: made.id, url: '/', hostname: 'later.example' } })
    expect((await fetch(`${url}/api/send`, { method: 'POST', headers, body })).status).toBe(200)
    const path = `/api/websites/${made.id}/stats?startAt=${Date.now() - 60_000}&endAt=${Date.now() + 3_600_000}`
    await soon(() => answersAre([{ path, answer: { pageviews: 1 } }]))
  })
})

describe('a release', () => {
  it('has an archive of a data folder, made by npx tsx test/local/released/make.ts', () => {
    const changelog = readFileSync(`${root}/CHANGELOG.md`, 'utf8')
    const headings = [...changelog.matchAll(/^## (\d+\.\d+\.\d+)(.*)$/gm)]
    const versions = headings.filter(([, , rest]) => !rest!.includes('unreleased')).map(([, version]) => version!)
    expect(headings.length).toBeGreaterThan(0)
    expect(released).toEqual(versions.sort(compare))
  })

  it('has a small archive: Git and the package keep it for ever', () => {
    expect(released.filter((one) => statSync(`${here}${one}.tgz`).size > 1_500_000)).toEqual([])
  })

  it('is made by a command, outside of the tests', () => {
    const load = ['--import', 'tsx', '--eval', "await import('./test/local/released/make.ts'); process.exit(0)"]
    expect(() => execFileSync(process.execPath, load, { cwd: root, stdio: 'pipe' })).not.toThrow()
  })

  it('freezes its sql files: a file that was changed, renamed or deleted is found', () => {
    const checkout = laterSql()
    const { sql } = frozenNow()
    const [changed, renamed, deleted] = Object.keys(sql).map((path) => [path, `${checkout}/${path}`] as const)
    expect(touched({ sql }, checkout)).toEqual([])
    writeFileSync(changed![1], '\n', { flag: 'a' })
    cpSync(renamed![1], `${renamed![1]}.sql`)
    for (const [, file] of [renamed!, deleted!]) rmSync(file)
    expect(touched({ sql }, checkout)).toEqual([changed![0], renamed![0], deleted![0]])
  })
})
