import { createHash, randomUUID } from 'node:crypto'
import type { Browser, BrowserContextOptions, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { newPerson } from './people.ts'
import { openAs } from './signed-in.ts'
import { insert } from './weir.ts'

/** An open recordings page. */
export interface OpenRecordings {
  readonly page: Page
  /** Errors, policy violations, and requests to other hosts. */
  readonly faults: string[]
  readonly close: () => Promise<void>
}

/** Opens a page as a signed-in user who may see all websites. */
export async function openSignedIn(
  browser: Browser,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenRecordings> {
  const { page, faults, close } = await openAs(browser, await newPerson({ role: 'admin' }), path, options)
  return { page, faults, close }
}

/** The player's frame, and the frame within it that shows the recorded page. */
export async function framesOf(page: Page): Promise<{ readonly player: Frame; readonly recorded: Frame }> {
  await page
    .getByRole('button', { name: /^(Play|Pause)$/ })
    .and(page.locator(':enabled'))
    .waitFor()
  const player = page.frames().find((frame) => frame.url().startsWith('data:'))!
  await expect.poll(() => player.childFrames().length).toBeGreaterThan(0)
  return { player, recorded: player.childFrames()[0]! }
}

/** Seeks to a time in the replay, in milliseconds, by default to its end. */
export async function seek(page: Page, at?: number): Promise<void> {
  await page.getByText('Loading…').waitFor({ state: 'hidden' })
  // The player sends the replay's length to its page every 100 ms.
  await page.waitForTimeout(300)
  await page.getByRole('slider', { name: 'Time' }).evaluate((bar, moment) => {
    const range = bar as unknown as { value: string; max: string; dispatchEvent(event: Event): void }
    range.value = moment === null ? range.max : String(moment)
    range.dispatchEvent(new Event('input', { bubbles: true }))
  }, at ?? null)
}

/** Stores events as one recorder request, without the server's masking. */
export async function storeUnmasked(
  websiteId: string,
  events: readonly object[],
  visit: string = randomUUID(),
  session = visit,
) {
  const lines = events.map((event) => JSON.stringify(event)).join('\n')
  const times = events.map((event) => (event as { timestamp: number }).timestamp)
  const stamp = (moment: number) => new Date(moment).toISOString().replace('T', ' ').slice(0, -1)
  await insert('ingest_replay_chunks', [
    {
      ...{ website_id: websiteId, visit_id: visit, session_id: session, created_at: stamp(Math.max(...times)) },
      ...{ chunk_index: Math.floor(times[0]! / 1000), hash: createHash('sha256').update(lines).digest('hex'), times },
      ...{ events: lines, first_at: stamp(Math.min(...times)), last_at: stamp(Math.max(...times)) },
    },
  ])
  return visit
}
