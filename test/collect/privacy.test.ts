import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type Collecting, firefox, startCollecting, storedOf } from '../support/collecting.ts'
import { contents } from '../support/contents.ts'
import { clickhouse, newWebsite, running } from '../support/weir.ts'

/** Tests that nothing that identifies a visitor is stored or logged (section 15.7 of the contract). */

let worker: Collecting
beforeAll(async () => {
  // Logs all requests, even successful ones.
  worker = await startCollecting({ LOG: { successes: 1 } })
})
afterAll(() => worker.beside.close())

const [address, ip, forwarded] = ['100.99.187.7', '2001:db8:5eed::187', '198.51.100.231']
/** No random id in hexadecimal digits contains these texts. */
const [own, sent] = [`${firefox} Sender/zeed187`, `${firefox} Visitor/zeed188`]
const visible = 'visible-zeed189'

/** Sends events of every kind, valid and invalid. Returns the Worker's log. */
async function sendAll(website: string): Promise<string[]> {
  const lines: string[] = []
  for (const method of ['log', 'error', 'warn', 'info'] as const) {
    vi.spyOn(console, method).mockImplementation((...all) => void lines.push(all.join(' ')))
  }
  const headers = { 'cf-connecting-ip': address, 'user-agent': own, 'x-forwarded-for': forwarded }
  const payload = { website, tag: visible, id: 'ada' }
  for (const one of [
    payload,
    { ...payload, ip, userAgent: sent },
    { ...payload, ip, url: 5 },
    { ...payload, userAgent: 'curl/zeed190' },
  ]) {
    for (const type of ['event', 'identify']) {
      await worker.post(
        '/api/send',
        { type, payload: { ...one, data: one === payload ? { a: visible } : (one as { data?: object }).data } },
        headers,
      )
      // The shared Worker writes its log to the data folder.
      await fetch(`${running.url}/api/send`, { method: 'POST', headers, body: JSON.stringify({ type, payload: one }) })
    }
  }
  await worker.post('/api/batch', '{', headers)
  await storedOf([website], 4, 4)
  await clickhouse('SYSTEM FLUSH LOGS').catch(() => [])
  vi.restoreAllMocks()
  return lines
}

it('no addresses or User-Agents are stored or logged', async () => {
  const [website, began] = [await newWebsite(), Date.now() - 60_000]
  const lines = await sendAll(website)
  const secrets = [address, ip, forwarded, 'zeed187', 'zeed188', 'zeed190', '100.99.187.']
  const rows = await clickhouse<{ row: string }>(
    `SELECT formatRow('JSONEachRow', *) AS row FROM events WHERE website_id = '${website}'
     UNION ALL SELECT formatRow('JSONEachRow', *) FROM session_data WHERE website_id = '${website}'`,
  )
  const stored = rows.map(({ row }) => row).join('')
  // This proves that the search finds texts that are stored.
  expect(stored).toContain(visible)
  let found = 0
  for (const [path, content] of contents(running.dataDir, began)) {
    if (content.includes(visible)) found++
    for (const secret of secrets) expect(content.includes(secret), `${secret} in ${path}`).toBe(false)
  }
  expect(found).toBeGreaterThan(0)
  const logged = lines.join('\n')
  expect(logged).toContain('"endpoint":"send"')
  for (const secret of secrets) expect(stored + logged).not.toContain(secret)
})
