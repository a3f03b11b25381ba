import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { startBrowser, userAgent } from './browser.ts'
import { closeOthers } from './kept-pages.ts'

const inProcess = globalThis as { weirBrowser?: Promise<Browser> }
inProcess.weirBrowser ??= startBrowser(userAgent)

/** The Chromium of all test files in this process. They share the pages that their tests leave. */
export const browser = await inProcess.weirBrowser

afterAll(() => closeOthers(browser))
