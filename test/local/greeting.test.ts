import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { defaultDataDir } from '../../src/local/paths.ts'
import { diskUsage, sizeText } from '../../src/local/start/disk-usage.ts'
import { greeting } from '../../src/local/start/greeting.ts'
import { showProgress } from '../../src/local/start/progress.ts'
import { explained } from '../../src/local/told/explained.ts'

const ready = {
  ...{ url: 'http://127.0.0.1:8787', share: 'http://127.0.0.1:8787/share/demo0', demo: 'http://127.0.0.1:8787/demo' },
  clickhouse: { url: 'http://127.0.0.1:8123', username: 'default', password: 'x', database: 'weir' },
  ...{ isEmbedded: true, apiKey: 'api_x', dataDir: defaultDataDir, size: 64_400_000 },
  websiteId: 'b8f1a3c2-0000-4000-8000-000000000001',
  signIn: { username: 'admin', password: 'secret' },
}

/** The arguments of the command that sends an event, as parsed by a shell. */
function sendWords(given: Partial<typeof ready>): string[] {
  const line = greeting({ ...ready, ...given })
    .split('\n')
    .find((one) => one.includes('npm run weir -- send'))!
  const show = 'npm() { shift 3; for word in "$@"; do echo "$word"; done; };'
  return execFileSync('sh', ['-c', show + line], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
}

describe('the greeting', () => {
  it('lists the front page, the data and their size, and commands that run as printed', () => {
    const text = greeting(ready)
    expect(text).toContain('\n  Look at the demo website:\n  http://127.0.0.1:8787/share/demo0\n')
    expect(text).toContain('\n  See your own visit arrive there:\n  http://127.0.0.1:8787/demo\n')
    expect(text).toContain(
      `\n  <script defer src="http://127.0.0.1:8787/script.js" data-website-id="${ready.websiteId}"></script>\n`,
    )
    expect(text).toContain('  Front page  http://127.0.0.1:8787/\n')
    expect(text).toContain(`  Data        ${defaultDataDir} (64 MB on disk)\n`)
    expect(text).toContain(
      '  Websites    http://127.0.0.1:8787/websites\n              sign in as admin, password secret\n',
    )
    expect(text).toContain('  Explorer    http://127.0.0.1:8787/explorer\n')
    expect(text).toContain("/events/stats?period=last_30_days'\n")
    expect(text).toContain(
      `\n  export KEY=api_x WEBSITE=${ready.websiteId} CLICKHOUSE='http://127.0.0.1:8123/?database=weir&user=default&password=x'\n`,
    )
    expect(sendWords({})).toEqual(['send', '--website', ready.websiteId, '--name', 'signup'])
  })

  it('quotes the data folder correctly in a command, whatever its name', () => {
    const dataDir = `/tmp/it's "a" $folder`
    expect(sendWords({ dataDir }).slice(-2)).toEqual(['--data-dir', dataDir])
  })

  it('says that the events are in another ClickHouse', () => {
    const text = greeting({ ...ready, share: null, demo: null, isEmbedded: false })
    expect(text).not.toMatch(/Look at|visit arrive/)
    expect(text).toContain('(64 MB on disk; the events are in ClickHouse)')
    expect(text).toContain('Send an event, with the same CLICKHOUSE_URL:\n')
    const hidden = "CLICKHOUSE='http://127.0.0.1:8123/?database=weir&user=default&password=YOUR_PASSWORD'\n"
    expect(text).toContain(hidden)
  })
})

describe('progress', () => {
  /** The progress output for four steps of 100,000, 60,000, 40,000 and 0 items. */
  function written(isTTY: boolean, env: { TERM?: string } = {}): string {
    let text = ''
    const write = (more: string) => {
      text += more
    }
    const { advance, done } = showProgress('Demo website', 200_000, { isTTY, write }, env)
    for (const by of [100_000, 60_000, 40_000, 0]) advance(by)
    done('Filled.')
    return text
  }

  it('is a bar without colour on a terminal', () => {
    const bars = written(true).split('\r\u001b[K')
    expect(bars).toEqual([
      'Demo website: 200,000 events …\n[..............................] 0 %  0 of 200,000',
      '[###############...............] 50 %  100,000 of 200,000',
      '[########################......] 80 %  160,000 of 200,000',
      '[##############################] 100 %  200,000 of 200,000',
      '[##############################] 100 %  200,000 of 200,000',
      'Filled.\n',
    ])
  })

  it('is at most one line per quarter otherwise', () => {
    const lines = [
      ...['Demo website: 200,000 events …', 'Demo website: 100,000 of 200,000', 'Demo website: 160,000 of 200,000'],
      ...['Filled.', ''],
    ].join('\n')
    expect(written(false)).toBe(lines)
    expect(written(true, { TERM: 'dumb' })).toBe(lines)
  })
})

describe('the size of a folder on disk', () => {
  it('counts each file once, even if it has two links', async () => {
    const folder = mkdtempSync(`${tmpdir()}/weir-size-`)
    mkdirSync(`${folder}/below`)
    const before = await diskUsage(folder)
    writeFileSync(`${folder}/below/file`, Buffer.alloc(1_000_000, 'x'))
    const after = await diskUsage(folder)
    expect(after - before).toBeGreaterThanOrEqual(1_000_000)
    expect(after - before).toBeLessThan(1_100_000)
    linkSync(`${folder}/below/file`, `${folder}/same`)
    expect(await diskUsage(folder)).toBe(after)
  })

  it('is printed in MB or GB', () => {
    expect([0, 1_400_000, 999_400_000, 1_250_000_000].map(sizeText)).toEqual(['1 MB', '1 MB', '999 MB', '1.3 GB'])
  })
})

describe('a system error', () => {
  it.each([
    [{ code: 'EACCES', syscall: 'mkdir', path: '/a' }, '/a cannot be created: permission denied (EACCES).'],
    [{ code: 'EROFS', syscall: 'open', path: '/a/b' }, '/a/b cannot be opened: the file system is read-only (EROFS).'],
    [{ code: 'ENOENT', syscall: 'open', path: '/a' }, '/a cannot be opened: there is no such file or folder (ENOENT).'],
    [{ code: 'ENOSPC', syscall: 'write' }, 'A file cannot be written: the disk is full (ENOSPC).'],
    [{ code: 'EWEIRD', syscall: 'open', path: '/a' }, 'as it was'],
    [{ type: 'UNKNOWN_DATABASE' }, 'as it was Create Weir’s tables: npm run weir -- migrate'],
  ])('%j is explained in words', (fields, message) => {
    expect(explained(Object.assign(new Error('as it was'), fields))).toBe(message)
  })

  it('is shown even if another error wraps it', () => {
    const cause = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })
    expect(explained(new TypeError('fetch failed', { cause }))).toBe('getaddrinfo')
    expect(explained('a text')).toBe('a text')
  })
})
