import type { Browser } from 'playwright-core'
import { afterAll } from 'vitest'
import { startBrowser, userAgent } from './browser.ts'

const inProcess = globalThis as { weirBrowser?: Promise<Browser> }
inProcess.weirBrowser ??= startBrowser(userAgent)

/** The Chromium of all test files in this process. After each file, its pages are closed. */
export const browser = await inProcess.weirBrowser

afterAll(() => Promise.all(browser.contexts().map((context) => context.close())))
