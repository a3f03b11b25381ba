import { randomUUID } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { weir as command } from '../support/commands.ts'
import { metadata } from '../support/metadata.ts'
import { running, send } from '../support/weir.ts'

const weir = (...words: string[]) => command(['dashboard', 'rows', ...words])

async function made(path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${running.adminKey}`, 'content-type': 'application/json' }
  const answer = await send(path, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
  return answer.body.id
}

/** The printed statements that contain this id. */
const about = (printed: string, id: string): string[] => printed.split('\n').filter((line) => line.includes(id))

describe('npm run weir -- dashboard rows', () => {
  it('prints an INSERT for each website, link and pixel, which may be run twice', async () => {
    const website = await made('/api/websites', { name: 'Bücher', domain: 'books.example' })
    const link = await made('/api/links', { name: 'Sale', url: 'https://example.com/sale', slug: randomUUID() })
    const pixel = await made('/api/pixels', { name: 'Mail', slug: randomUUID() })
    const { code, stdout, stderr } = await weir()
    expect([code, stderr]).toEqual([0, ''])
    const kept = (kind: string) => `ON CONFLICT (${kind}_id) DO UPDATE SET deleted_at = NULL;`
    expect([website, link, pixel].map((id) => about(stdout, id))).toEqual([
      [
        `INSERT INTO website (website_id, name, domain) VALUES (E'${website}', E'Bücher', E'books.example') ${kept('website')}`,
      ],
      [
        `INSERT INTO link (link_id, name, url, slug) VALUES (E'${link}', E'Sale', E'https://example.com/sale', E'${link}') ${kept('link')}`,
      ],
      [`INSERT INTO pixel (pixel_id, name, slug) VALUES (E'${pixel}', E'Mail', E'${pixel}') ${kept('pixel')}`],
    ])
  })

  it('omits what is deleted', async () => {
    const website = await made('/api/websites', { name: 'Gone', domain: 'gone.example' })
    await send(`/api/websites/${website}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${running.adminKey}` },
    })
    expect(about((await weir()).stdout, website)).toEqual([])
  })

  it('quotes any name, so that each statement is one line', async () => {
    const names = [
      "a'); DROP TABLE website; --",
      "\\'; \\",
      'line\nbreak\r\u2028\u2029.',
      '\u202eturned',
      'a\0b',
      '\u001b[2J',
    ]
    const ids: string[] = []
    for (const name of names) {
      const id = await made('/api/websites', { name: 'plain', domain: 'names.example' })
      // The API refuses control characters, but older rows may contain them.
      await metadata.prepare('UPDATE websites SET name = ? WHERE id = ?').bind(name, id).run()
      ids.push(id)
    }
    const { stdout } = await weir()
    const values = ids.map((id) => /VALUES \(E'[^']*', (E'.*'), E'names\.example'\)/.exec(about(stdout, id)[0]!)![1])
    expect(values).toEqual([
      "E'a''); DROP TABLE website; --'",
      "E'\\\\''; \\\\'",
      "E'line\\U0000000abreak\\U0000000d\\U00002028\\U00002029.'",
      "E'\\U0000202eturned'",
      "E'a\ufffdb'",
      "E'\\U0000001b[2J'",
    ])
    expect(stdout.split('\n').filter((line) => !/^INSERT INTO (website|link|pixel) \(.*;$/.test(line))).toEqual([''])
  })

  it('reads a remote D1’s rows from wrangler’s output', async () => {
    const { stdout: statement } = await weir('--sql')
    expect(statement).toMatch(/^SELECT id, kind, name, domain, url FROM websites WHERE [^\n;]*\n$/)
    const file = join(mkdtempSync(join(tmpdir(), 'weir-')), 'rows.json')
    const id = randomUUID()
    const row = { id, kind: 'website', name: 'Remote', domain: 'remote.example', url: null }
    writeFileSync(file, JSON.stringify([{ results: [row], success: true }]))
    expect((await weir(file)).stdout).toContain(`VALUES (E'${id}', E'Remote', E'remote.example')`)
    for (const wrong of ['', '[]', JSON.stringify([{ results: [{ ...row, kind: 'website; DROP TABLE x' }] }])]) {
      writeFileSync(file, wrong)
      const { code, stdout, stderr } = await weir(file)
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`${file} is not the output of wrangler`)])
    }
  })
})
