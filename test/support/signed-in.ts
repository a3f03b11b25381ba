import type { Browser, BrowserContextOptions } from 'playwright-core'
import { openPage } from './browser.ts'
import type { Person } from './people.ts'
import { running } from './weir.ts'

export const tokenOf = ({ headers }: Pick<Person, 'headers'>): string => headers.authorization!.slice('Bearer '.length)

/** Opens a page in a browser as this signed-in person. */
export async function openAs(browser: Browser, person: Person, path: string, options: BrowserContextOptions = {}) {
  const opened = await openPage(browser, running.url, { reducedMotion: 'reduce', ...options })
  // The script runs in every frame and after every reload. A user who has signed out stays signed out.
  const keep = `if (location.origin === '${running.url}') localStorage['weir.token'] ??= '${tokenOf(person)}'`
  const script = await opened.context.addInitScript(keep)
  await opened.page.goto(running.url + path)
  const close = async () => {
    await script.dispose()
    await opened.close()
  }
  return { ...opened, close }
}
