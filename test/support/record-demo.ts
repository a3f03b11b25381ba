import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { type DemoVisit, recordedWebsite, recordingsFile, timeColumns } from '../../src/local/dataset/recordings.ts'
import { startBrowser } from './browser.ts'
import { type Demo, withDemo } from './demo.ts'

/**
 * Records the visits that the demo website begins with: `npx tsx test/support/record-demo.ts`, after a change of the
 * page `/demo` or of the recorder. Starts Weir, visits `/demo` in Chromium, and writes the rows of the recorded visits.
 */

/** What differs between visits. Countries and cities are invented: a visitor of this machine has none. */
interface Visitor {
  readonly userAgent: string
  readonly width: number
  readonly height: number
  readonly country: string
  readonly city: string
  readonly act: (page: Page) => Promise<unknown>
}

const chrome = (system: string, mobile = '') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 ${mobile}Safari/537.36`
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** Moves to something as a hand would, and clicks it. */
async function click(page: Page, name: string): Promise<void> {
  const box = (await page.getByRole('button', { name }).boundingBox())!
  const [x, y] = [box.x + box.width * (0.25 + Math.random() / 2), box.y + box.height * (0.25 + Math.random() / 2)]
  await page.mouse.move(x, y, { steps: 25 })
  await pause(400)
  await page.mouse.click(x, y)
  await pause(1500)
}

async function wander(page: Page, ...places: readonly (readonly [number, number])[]): Promise<void> {
  for (const [x, y] of places) {
    await page.mouse.move(x, y, { steps: 20 })
    await pause(500)
  }
}

async function scroll(page: Page, by: number): Promise<void> {
  for (let step = 0; step < 5; step++) {
    await page.mouse.wheel(0, by / 5)
    await pause(200)
  }
}

const visitors: readonly Visitor[] = [
  {
    ...{ userAgent: chrome('Windows NT 10.0; Win64; x64'), width: 1440, height: 900, country: 'DE', city: 'Berlin' },
    act: async (page) => {
      await wander(page, [400, 200], [700, 420], [520, 610])
      await click(page, 'View another page')
      await click(page, 'View another page')
      await wander(page, [480, 520], [300, 700])
      await click(page, 'Sign up')
    },
  },
  {
    ...{ userAgent: iPhone, width: 390, height: 664, country: 'FR', city: 'Lyon' },
    act: async (page) => {
      await scroll(page, 500)
      await scroll(page, -500)
      await click(page, 'Sign up')
      await scroll(page, 300)
    },
  },
  {
    ...{ userAgent: firefox, width: 1280, height: 620, country: 'NP', city: 'Kathmandu' },
    act: async (page) => {
      await wander(page, [200, 100], [640, 300])
      await scroll(page, 400)
      await scroll(page, -400)
      await click(page, 'View another page')
      await wander(page, [300, 420], [820, 240])
    },
  },
  {
    ...{ userAgent: chrome('Linux; Android 15; Pixel 9', 'Mobile '), width: 412, height: 732 },
    ...{ country: 'BR', city: 'Recife' },
    act: async (page) => {
      await click(page, 'View another page')
      await scroll(page, 250)
      await scroll(page, -250)
      await click(page, 'View another page')
      await click(page, 'View another page')
    },
  },
]

async function visit(browser: Browser, url: string, { userAgent, width, height, act }: Visitor): Promise<void> {
  const context = await browser.newContext({ userAgent, viewport: { width, height }, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${url}/demo`)
  await page.getByText('Your events are here.').waitFor()
  await pause(2000)
  await act(page)
  // A chunk may wait for ten seconds.
  await pause(12_000)
  await context.close()
}

type Row = Readonly<Record<string, unknown>>

const isTime = (name: string): boolean => (timeColumns as readonly string[]).includes(name)

/** The visit with times since it began. What has its default is left out. */
function relative(rows: { events: Row[]; chunks: Row[]; heatmap: Row[] }, { country, city }: Visitor): DemoVisit {
  const moment = (value: unknown) => Date.parse(`${String(value).replace(' ', 'T')}Z`)
  const began = Math.min(...[...rows.events, ...rows.chunks].map(({ created_at }) => moment(created_at)))
  const since = (row: Row): Row =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name, value]) => value !== '' && value !== null && name !== 'hash' && name !== 'times')
        .map(([name, value]) => [name, isTime(name) ? moment(value) - began : value]),
    )
  const chunks = rows.chunks.map((row) => ({
    ...since(row),
    chunk_index: Number(row.chunk_index) - Math.floor(began / 1000),
    events: String(row.events)
      .split('\n')
      .map((line) => JSON.parse(line) as { timestamp: number })
      .map((event) => JSON.stringify({ ...event, timestamp: event.timestamp - began }))
      .join('\n'),
  }))
  return {
    events: rows.events.map((row) => ({ ...since(row), country, city })),
    chunks,
    heatmap: rows.heatmap.map(since),
  }
}

async function record({ url, clickhouse, websiteId, share }: Demo): Promise<void> {
  const browser = await startBrowser()
  try {
    const began = new Date().toISOString().replace('T', ' ').slice(0, -1)
    const read = async (columns: string, table: string): Promise<Row[]> => {
      const query = `select ${columns} from ${table} where website_id = '${websiteId}' and created_at >= '${began}'
        order by created_at format JSONEachRow settings output_format_json_quote_64bit_integers = 0`
      const response = await fetch(clickhouse, { method: 'POST', body: query })
      const text = await response.text()
      if (!response.ok) throw new Error(text)
      return text.split('\n').flatMap((row) => (row ? [JSON.parse(row) as Row] : []))
    }
    const own = new URL(share).pathname.split('/').at(-1)!
    const lines: string[] = []
    const known = new Set<unknown>()
    for (const visitor of visitors) {
      await visit(browser, url, visitor)
      const [events, properties, chunks, heatmap] = await Promise.all([
        read('* except (has_data, packed, ingested_at, channel, channel_lists)', 'events'),
        read('created_at, event_name, data_key, data_type, value', 'event_data'),
        read('* except hash', 'replay_chunks'),
        read('* replace (lower(hex(request)) as request)', 'heatmap_events'),
      ])
      const mine = (rows: Row[]) => rows.filter(({ visit_id }) => !known.has(visit_id))
      const withProperties = (row: Row): Row => {
        const found = properties.filter(
          ({ created_at, event_name }) => created_at === row.created_at && event_name === row.event_name,
        )
        const column = (name: string) => found.map((one) => one[name] ?? null)
        return found.length === 0
          ? row
          : {
              ...row,
              'properties.key': column('data_key'),
              'properties.data_type': column('data_type'),
              'properties.string_value': column('value'),
              'properties.number_value': column('none'),
              'properties.date_value': column('none'),
            }
      }
      const rows = { events: mine(events).map(withProperties), chunks: mine(chunks), heatmap: mine(heatmap) }
      for (const { visit_id } of rows.events) known.add(visit_id)
      const text = JSON.stringify(relative(rows, visitor))
      const host = new URL(url)
      // Nothing tells where it was recorded.
      lines.push(
        text
          .replaceAll(websiteId, recordedWebsite)
          .replaceAll(own, 'demo')
          .replaceAll(host.origin, 'https://demo.example')
          .replaceAll(host.host, 'demo.example')
          .replaceAll(host.hostname, 'demo.example'),
      )
      console.error(
        `${rows.chunks.length} chunks, ${rows.heatmap.length} events of heatmaps, ${text.length} characters`,
      )
    }
    const file = gzipSync(`${lines.join('\n')}\n`, { level: 9 })
    writeFileSync(recordingsFile, file)
    console.error(`${recordingsFile.pathname}: ${file.length} bytes`)
  } finally {
    await browser.close()
  }
}

const folder = mkdtempSync(`${tmpdir()}/weir-record-`)
await withDemo(folder, record).finally(() => rmSync(folder, { recursive: true, force: true }))
