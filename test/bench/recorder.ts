import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../support/browser.ts'
import { median } from './measure.ts'

/** What a recorded page costs its visitor, beside rrweb alone. */
export interface RecorderFindings {
  readonly elements: number
  readonly alone: PageCost
  readonly recorder: PageCost
}

/** Medians in milliseconds, beyond a page that is not recorded. */
interface PageCost {
  /** In which JavaScript ran. */
  readonly script: number
  /** The processor's, for all that the page's thread did: other programs hardly change it. */
  readonly work: number
}

/** The events of one request, as the recorder sent them. */
export type RecordedChunk = readonly { readonly type: number; timestamp: number }[]

export const userAgent = (number = 0): string =>
  `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.${number}.0 Safari/537.36`

const words =
  'A long article has paragraphs with links and words of every length, which say something about its subject. '

/** A long article of some 4,000 elements. */
const article = `<h1>A long article</h1><input id="field">${Array.from(
  { length: 500 },
  (_, place) =>
    `<section><h2 class="heading">Part ${place}</h2><p class="text">${words.repeat(2)}<a href="/${place}">More</a> <b>of</b> <i>it</i>
      <span data-part="${place}">here</span> and ${words}</p><hr></section>`,
).join('')}`

const rrweb = readFileSync(new URL('record.umd.cjs', import.meta.resolve('@rrweb/record')), 'utf8')
const observes =
  'addEventListener("load", () => rrwebRecord.record({ emit: ({ type }) => { if (type === 2) document.title = "seen" } }))'

const ways = ['nothing', 'alone', 'recorder'] as const
type Way = (typeof ways)[number]

/** Serves the article: with the tracker alone, with rrweb, or with the recorder. */
async function articles(url: string, websiteId: string) {
  const tag = (name: string) => `<script defer src="${url}/${name}" data-website-id="${websiteId}"></script>`
  const added: Record<Way, string> = {
    nothing: '',
    alone: `<script>${rrweb}</script><script>${observes}</script>`,
    recorder: tag('recorder.js'),
  }
  const server = createServer((request, response) => {
    const way = ways.find((one) => request.url === `/${one}`)
    response.writeHead(way ? 200 : 404, { 'content-type': 'text/html' })
    response.end(way && `<!doctype html><title>Article</title>${tag('script.js')}${added[way]}<body>${article}`)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** What the visitor does each half second: moves, scrolls, types; and the page changes. */
async function act(page: Page, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    await page.mouse.move(100 + 40 * (time % 20), 200 + 20 * (time % 9), { steps: 5 })
    await page.mouse.wheel(0, time % 10 < 8 ? 300 : -900)
    await page.evaluate(`{
      const field = document.getElementById('field')
      field.value += 'x'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      document.querySelector('section:nth-of-type(${1 + (time % 90)}) p').append(' More.')
    }`)
    await pause(500)
  }
}

async function opened(browser: Browser, url: string, way: Way, act: (page: Page) => Promise<void>): Promise<PageCost> {
  const context = await browser.newContext({ userAgent: userAgent() })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  const isRecorded = way === 'recorder' && page.waitForResponse((response) => response.url().endsWith('/api/record'))
  await page.goto(`${url}/${way}`)
  await isRecorded
  if (way === 'alone') await page.waitForFunction('document.title === "seen"')
  await act(page)
  const { metrics } = await session.send('Performance.getMetrics')
  await context.close()
  const milliseconds = (wanted: string) => 1000 * metrics.find(({ name }) => name === wanted)!.value
  return { script: milliseconds('ScriptDuration'), work: milliseconds('ThreadTime') }
}

/** Opens the article in each way in turn. Returns what it took, and what the recorder sends in `seconds`. */
export async function recorderOf(
  { url, websiteId }: { readonly url: string; readonly websiteId: string },
  { rounds, seconds }: { readonly rounds: number; readonly seconds: number },
): Promise<RecorderFindings & { readonly chunks: readonly RecordedChunk[] }> {
  const browser = await startBrowser(userAgent())
  const { origin, close } = await articles(url, websiteId)
  const took: Record<Way, PageCost[]> = { nothing: [], alone: [], recorder: [] }
  let elements = 0
  try {
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
        const cost = await opened(browser, origin, way, async (page) => {
          elements = Number(await page.evaluate('document.getElementsByTagName("*").length'))
          await act(page, 4)
        })
        if (round > 0) took[way].push(cost)
      }
    }
    const chunks: RecordedChunk[] = []
    await opened(browser, origin, 'recorder', async (page) => {
      await page.exposeFunction('tellSent', (body: string) => chunks.push(eventsOf(Buffer.from(body, 'base64'))))
      await page.addInitScript(tellsWhatIsSent)
      await page.reload()
      await page.waitForResponse((response) => response.url().endsWith('/api/record'))
      await act(page, 2 * seconds)
    })
    const more = (way: Way, what: keyof PageCost) =>
      median(took[way].map((cost, round) => cost[what] - took.nothing[round]![what]))
    const costOf = (way: Way): PageCost => ({ script: more(way, 'script'), work: more(way, 'work') })
    return { elements, alone: costOf('alone'), recorder: costOf('recorder'), chunks }
  } finally {
    close()
    await browser.close()
  }
}

/** Playwright does not see bodies that are no text. */
const tellsWhatIsSent = `{
  const send = fetch
  window.fetch = async (url, init) => {
    if (String(url).endsWith('/api/record')) {
      const bytes = new Uint8Array(await new Response(init.body).arrayBuffer())
      tellSent(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')))
    }
    return send(url, init)
  }
}`

function eventsOf(body: Buffer): RecordedChunk {
  const text = body[0] === 0x1f ? gunzipSync(body).toString() : body.toString()
  const { type, payload } = JSON.parse(text) as { type: string; payload: { events: RecordedChunk } }
  return type === 'record' ? payload.events : []
}
