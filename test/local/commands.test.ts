import { randomUUID } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { createClient } from '@clickhouse/client-web'
import { describe, expect, it } from 'vitest'
import { parseServer } from '../../src/clickhouse/server.ts'
import { openMetadata } from '../../src/local/commands/opened.ts'
import { root } from '../../src/local/paths.ts'
import { migrateEvents, migrateMetadata } from '../../src/local/storage/migrations.ts'
import { purgeable } from '../../src/local/storage/purge.ts'
import { weir as command, expectPrivateFile } from '../support/commands.ts'
import { metadata } from '../support/metadata.ts'
import { newPerson } from '../support/people.ts'
import { spawned } from '../support/process.ts'
import { clickhouse, get, newWebsite, running, send } from '../support/weir.ts'

const weir = (...words: string[]) => command(words)

const unknown = '00000000-0000-4000-8000-0000000000aa'

/** What `website create` prints in addition to the id. */
const tagged = expect.stringMatching(
  /^Put this tag into the pages of .*:\n {2}<script defer .*><\/script>\n {2}Settings .*\n {2}Dashboard .*\n$/,
)

describe('npm run weir', () => {
  it('creates a website, and a key that opens only that website', async () => {
    const website = await weir('website', 'create', '--name', 'From a command', '--domain', 'command.example')
    const websiteId = website.stdout.trim()
    const tag = (url: string) => `<script defer src="${url}/script.js" data-website-id="${websiteId}"></script>`
    expect(website).toMatchObject({
      stdout: `${websiteId}\n`,
      stderr: [
        'Put this tag into the pages of command.example:',
        `  ${tag(running.url)}`,
        `  Settings   ${running.url}/websites/${websiteId}/settings`,
        `  Dashboard  ${running.url}/websites/${websiteId}\n`,
      ].join('\n'),
    })
    const created = await weir('key', 'create', '--name', 'reader', '--website', websiteId.toUpperCase())
    const key = created.stdout.trim()
    expect(created.stderr).toBe('This key is shown only now. Its access: read.\n')
    const headers = { 'x-weir-api-key': key }
    expect((await send(`/api/websites/${websiteId}`, { headers })).body).toMatchObject({ name: 'From a command' })
    expect((await send(`/api/websites/${await newWebsite()}`, { headers })).status).toBe(403)
    expect((await send('/api/websites', { headers })).body).toMatchObject({ count: 1, data: [{ id: websiteId }] })

    const listed = (await weir('key', 'list')).stdout.split('\n').find((line) => line.includes(key.slice(0, 12)))
    expect(listed).toContain(`reader  ${websiteId}`)
    expect(listed).not.toContain(key)
    const [id] = listed!.split(' ')
    expect((await weir('key', 'delete', id!)).code).toBe(0)
    expect((await weir('key', 'delete', id!)).stderr).toContain('There is no key')
    const entries = metadata.prepare("SELECT action FROM audit_entries WHERE subjects ->> 'id' IN (?1, ?2) ORDER BY id")
    const { results } = await entries.bind(websiteId, id!).all()
    const commands = ['website create', 'key create', 'key delete']
    expect(results).toEqual(commands.map((words) => ({ action: `weir ${words}` })))
  })

  it('assigns a website to the user in --owner, or by default to the first admin', async () => {
    const { id: userId, username } = await newPerson()
    const words = ['website', 'create', '--name', 'Owned', '--domain', 'owned.example']
    const ownerOf = async ({ stdout }: { stdout: string }) => (await get(`/api/websites/${stdout.trim()}`)).body.userId
    expect(await ownerOf(await weir(...words))).toBe(running.firstAdmin.id)
    expect(await ownerOf(await weir(...words, '--owner', username.toUpperCase()))).toBe(userId)
    expect(await weir(...words, '--owner', 'nobody')).toMatchObject({
      ...{ code: 1, stdout: '', stderr: 'There is no user nobody. See: npm run weir -- user list\n' },
    })
  })

  it('uses a URL’s host as the domain', async () => {
    const domains = [
      ['https://www.example.com/path?a=b#c', 'www.example.com'],
      ['HTTP://Example.com:8080/', 'example.com:8080'],
      ['shop.example.com/basket', 'shop.example.com'],
      ['https://bücher.example', 'xn--bcher-kva.example'],
      ['localhost:3000', 'localhost:3000'],
    ] as const
    for (const [given, domain] of domains) {
      const { stdout } = await weir('website', 'create', '--name', 'Of a URL', '--domain', given)
      expect((await get(`/api/websites/${stdout.trim()}`)).body).toMatchObject({ domain })
    }
    for (const none of ['https://', 'ftp://example.com/', '/path', 'https://user@/']) {
      const { code, stderr } = await weir('website', 'create', '--name', 'x', '--domain', none)
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^--domain: Must be a host name/)])
    }
  })

  it('deletes a website as the API does, after a confirmation', async () => {
    const made = async () =>
      (await weir('website', 'create', '--name', 'Gone', '--domain', 'gone.example')).stdout.trim()
    const [first, second] = [await made(), await made()]
    const asked: string[] = []
    const remove = (id: string, answer?: string, ...flags: string[]) => {
      const ask = async (question: string) => {
        asked.push(question)
        return answer!
      }
      return command(['website', 'delete', id, ...flags], answer === undefined ? {} : { ask })
    }
    const unanswered = {
      code: 2,
      stderr: 'There is no terminal to ask for confirmation. Add --yes.\n',
    }
    expect(await remove(first)).toMatchObject(unanswered)
    expect(await remove(first, 'y')).toEqual({ code: 1, stdout: '', stderr: 'Nothing was deleted.\n' })
    const question = 'Delete the website Gone (gone.example)? This cannot be undone. Type yes: '
    expect(asked).toEqual([question])
    expect((await get(`/api/websites/${first}`)).status).toBe(200)

    expect(await remove(first.toUpperCase(), ' Yes ')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run weir -- purge --deleted'),
    })
    expect((await remove(second, undefined, '--yes')).code).toBe(0)
    expect(asked).toEqual([question, question])
    const listed = (await weir('website', 'list')).stdout
    for (const id of [first, second]) {
      expect(listed).not.toContain(id)
      expect(await purgeable(metadata)).toContainEqual(expect.objectContaining({ id, deleted_at: expect.any(Number) }))
      expect(await remove(id, undefined, '--yes')).toMatchObject({
        code: 1,
        stderr: `There is no website ${id}. See: npm run weir -- website list\n`,
      })
    }
  })

  it('accepts an expiry date; the key works until the end of that day in UTC', async () => {
    const name = `until ${randomUUID()}`
    await weir('key', 'create', '--name', name, '--admin', '--expires', '2999-01-31')
    const line = (await weir('key', 'list')).stdout.split('\n').find((one) => one.includes(name))
    expect(line).toContain('expires 2999-01-31T23:59:59.999Z')
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
    expect((await weir('key', 'create', '--name', 'x', '--admin', '--expires', tomorrow)).code).toBe(0)
    for (const wrong of ['2999-02-30', '2999-1-1', '31.01.2999', '2000-01-01']) {
      const { code, stderr } = await weir('key', 'create', '--name', 'x', '--admin', '--expires', wrong)
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^--expires(: Must be a date|.must be later)/)])
    }
  })

  it('prints correctly quoted statements that create a key in a remote D1', async () => {
    const name = "it's ? a 'name'"
    const { stdout, stderr } = await weir('key', 'create', '--name', name, '--admin', '--sql')
    const key = stderr.split('\n')[0]!
    const file = expectPrivateFile(stdout)
    expect(stdout + file).not.toContain(key)
    for (const statement of file.split('\n').filter(Boolean)) await metadata.prepare(statement).run()
    expect(
      await metadata.prepare('SELECT name FROM api_keys WHERE key_prefix = ?').bind(key.slice(0, 12)).first('name'),
    ).toBe(name)
    const entry = await metadata
      .prepare(
        `SELECT actor_kind, fields FROM audit_entries JOIN api_keys ON subjects = json_object('id', api_keys.id)
         WHERE action = 'weir key create' AND key_prefix = ?`,
      )
      .bind(key.slice(0, 12))
      .first()
    expect(entry).toEqual({ actor_kind: 'operator', fields: '["name","admin","sql"]' })
    expect((await send('/api/websites', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
  })

  it('sends an event, which reports include immediately', async () => {
    const websiteId = await newWebsite()
    const sent = await weir('send', '--website', websiteId, '--name', 'signup', '--path', '/join')
    expect(sent).toMatchObject({ code: 0, stderr: '' })
    const { body } = await get(`/api/websites/${websiteId}/events`, { startAt: Date.now() - 60_000, endAt: Date.now() })
    expect(body.data).toMatchObject([{ id: sent.stdout.trim(), eventName: 'signup', urlPath: '/join', eventType: 2 }])
    const long = await weir('send', '--website', websiteId, '--name', 'x'.repeat(51), '--hostname', 'Example.COM')
    expect(long).toMatchObject({ code: 0, stderr: '--name: May have 50 characters. The rest is cut off.\n' })
    const rows = await clickhouse(`SELECT event_name, hostname FROM events WHERE event_id = '${long.stdout.trim()}'`)
    expect(rows).toEqual([{ event_name: 'x'.repeat(50), hostname: 'example.com' }])
    const none = await weir('send', '--website', unknown, '--name', 'x')
    expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no website ${unknown}. See: `) })
    const twice = await weir('send', '--website', websiteId, '--website', unknown)
    expect(twice).toMatchObject({ code: 2, stderr: 'Give --website once.\n' })
  })

  it('refuses keys that would open nothing, and identifies the wrong flag', async () => {
    const key = async (...flags: string[]) => (await weir('key', 'create', '--name', 'x', ...flags)).stderr.trim()
    expect(await key('--website', await newWebsite(), '--website', 'nonsense')).toMatch(
      /^--website nonsense: Must be an id/,
    )
    expect(await key('--website', unknown)).toBe(`There is no website ${unknown}. See: npm run weir -- website list`)
    expect(await key('--admin', '--expires', 'tomorrow')).toMatch(
      /^--expires: Must be a date such as 2030-12-31, the last day in UTC, or a moment/,
    )
    expect(await key('--admin', '--origin', 'x.example')).toMatch(/^--origin x\.example: /)
    expect((await weir('key', 'create', '--name', 'x'.repeat(256), '--admin')).stderr).toMatch(/^--name: /)
  })

  it('refuses a missing data folder', async () => {
    const folder = `${mkdtempSync(`${tmpdir()}/weir-none-`)}/mistyped`
    for (const words of [['website', 'list'], ['key', 'list'], ['user', 'list'], ['check'], ['purge']]) {
      const { code, stderr } = await command(words, { dataDir: folder })
      const said = `There is no data folder ${folder}. npm start creates it; --data-dir selects another one.\n`
      expect({ code, stderr }).toEqual({ code: 1, stderr: said })
    }
    expect(existsSync(folder)).toBe(false)
  })

  it('exits with the command’s code', async () => {
    // `start.test.ts` runs a command that succeeds, through npm.
    const refused = { code: 2, stdout: '', stderr: expect.stringMatching(/^--website UUID is missing\.\nUsage: /) }
    expect(await spawned('weir', ['cache', 'purge']).ended).toMatchObject(refused)
  })

  it('can migrate repeatedly', async () => {
    expect((await weir('migrate')).stdout).toContain('Everything is already applied.')
  })

  it('prints the statements for a cluster', async () => {
    const { stdout } = await weir('migrate', '--cluster', 'pair', '--print')
    expect(stdout).toContain("CREATE DATABASE IF NOT EXISTS weir_shard ON CLUSTER 'pair';")
    const files = readdirSync(`${root}/sql/events`).sort()
    expect([...stdout.matchAll(/^-- (\d\S+)$/gm)].map(([, name]) => name)).toEqual(files)
    const records = [...stdout.matchAll(/^INSERT INTO weir\.migrations .* VALUES \('(\S+)', /gm)]
    expect(records.map(([, name]) => name)).toEqual(files)
    expect(await weir('migrate', '--print')).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('npm run size', () => {
  it('bundles the Worker like a deployment, into less than 400 KiB after gzip', async () => {
    const { code, stdout } = await spawned('size', []).ended
    const [, gzipped] = /Worker: [\d,]+ bytes, ([\d,]+) after gzip/.exec(stdout) ?? []
    expect({ code, isSmall: Number(gzipped?.replaceAll(',', '')) < 409_600 }).toEqual({ code: 0, isSmall: true })
  })

  it('refuses unknown arguments', async () => {
    const wrong = await spawned('size', ['--hlep']).ended
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--hlep') })
  })
})

describe('migrations', () => {
  it('run once, and refuse changed files and databases from another version', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-sql-`)
    cpSync(`${root}/sql/events`, folder, { recursive: true })
    const server = { ...parseServer({ CLICKHOUSE_URL: running.clickhouse }), database: 'another `database`' }
    const { timeout: _, ...connection } = server
    const client = createClient(connection)
    const files = readdirSync(`${root}/sql/events`).sort()
    expect(files.length).toBeGreaterThan(5)
    expect(await migrateEvents(client, server, folder)).toEqual(files)
    expect(await migrateEvents(client, server, folder)).toEqual([])
    appendFileSync(`${folder}/0002_events.sql`, '-- changed\n')
    await expect(migrateEvents(client, server, folder)).rejects.toThrow(
      /made by another version of Weir \(its 0002_events\.sql differs\)\. .*--data-dir/,
    )
    const names = ["('0009_daily_visits.sql', 'a')", "('0021_web_vitals.sql', 'b')"]
    await client.command({ query: `INSERT INTO migrations (name, checksum) VALUES ${names}` })
    await expect(migrateEvents(client, server)).rejects.toThrow(
      /^The database another `database` was made by another version of Weir \(its 0021_web_vitals\.sql differs\)\. .*weir -- upgrade --from THIS --data-dir NEW, as docs\/one-server\.md says\.$/,
    )
    await client.close()
  })
})

describe('metadata migrations', () => {
  it('run once, and refuse files that have been changed since', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-sql-`)
    cpSync(`${root}/sql/metadata`, folder, { recursive: true })
    const { metadata, close } = await openMetadata(folder)
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
    expect(files.length).toBeGreaterThan(5)
    expect(await migrateMetadata(metadata, folder)).toEqual(files.sort())
    expect(await migrateMetadata(metadata, folder)).toEqual([])
    appendFileSync(`${folder}/0004_api_keys.sql`, '-- changed\n')
    await expect(migrateMetadata(metadata, folder)).rejects.toThrow('its 0004_api_keys.sql differs')
    await metadata.prepare("INSERT INTO d1_migrations (name) VALUES ('0004_doors.sql')").run()
    await expect(migrateMetadata(metadata, folder)).rejects.toThrow(
      'The metadata was made by another version of Weir (its 0004_doors.sql differs)',
    )
    await close()
  })
})

describe('a cluster’s front', () => {
  it('is not migrated, because views there would store every event twice', async () => {
    const server = { ...parseServer({ CLICKHOUSE_URL: running.clickhouse }), database: 'front' }
    const { timeout: _, ...connection } = server
    await clickhouse('CREATE DATABASE front')
    await clickhouse('CREATE TABLE front.ingest AS weir.ingest ENGINE = Memory')
    const client = createClient(connection)
    await expect(migrateEvents(client, server)).rejects.toThrow('front.ingest is a')
    await client.close()
  })
})

describe('a command while a Worker is busy', () => {
  /** Writes without pausing until `done` settles. Returns the number of writes. */
  async function busy(done: Promise<unknown>, write: () => Promise<unknown>): Promise<number> {
    let [isDone, written] = [false, 0]
    void done.finally(() => {
      isDone = true
    })
    const writer = async () => {
      for (; !isDone; written++) await write()
    }
    await Promise.all(Array.from({ length: 4 }, writer))
    return written
  }

  it('reads and writes as usual', async () => {
    const commands = Promise.all([
      weir('website', 'create', '--name', 'Beside', '--domain', 'beside.example'),
      weir('key', 'create', '--name', 'beside', '--admin'),
      weir('key', 'list'),
      weir('user', 'list'),
    ])
    const written = await busy(commands, newWebsite)
    expect((await commands).map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect((await commands).map(({ stderr }) => stderr)).toEqual([
      tagged,
      'This key is shown only now. Its access: write.\n',
      '',
      '',
    ])
    expect(written).toBeGreaterThan(4)
  })
})

describe('concurrent commands without a running Worker', () => {
  it('wait for each other', async () => {
    const dataDir = `${mkdtempSync(`${tmpdir()}/weir-together-`)}/made`
    const around = { dataDir, openMetadata }
    const names = ['One', 'Two']
    const made = await Promise.all(
      names.map((name) => command(['website', 'create', '--name', name, '--domain', 'together.example'], around)),
    )
    expect(made.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, tagged]))
    const { stdout } = await command(['website', 'list'], around)
    expect(stdout.trim().split('\n').sort()).toEqual(
      names.map((name, place) => `${made[place]!.stdout.trim()}  ${name}  together.example`).sort(),
    )
  })
})
