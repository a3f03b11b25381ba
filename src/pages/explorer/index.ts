/** The API explorer: Swagger UI, which sends this browser's credentials and has a readable website filled in. */
import { shownPeriod } from '../parts/demo.ts'
import { keptToken } from '../session/kept-token.ts'
import { type Document, fillIn } from './fill-in.ts'
import { givenRights } from './rights.ts'

/** The used part of the global object from `swagger-ui-bundle.js`. */
interface Explorer {
  readonly preauthorizeApiKey: (scheme: string, key: string) => void
  readonly layoutActions: {
    readonly updateFilter: (text: string) => void
    readonly show: (thing: readonly string[], isShown: boolean) => void
  }
  readonly authActions: { readonly logout: (schemes: readonly string[]) => void }
}
const { SwaggerUIBundle } = globalThis as unknown as { SwaggerUIBundle: (options: object) => Explorer }

/** The operation that is open at first. */
const first = { tag: 'Events', operation: 'getWebsiteEvents' }

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

async function documentOf(): Promise<Document> {
  const response = await fetch('/openapi.json')
  if (!response.ok) throw new Error(`The request for the operations returned status ${response.status}.`)
  return response.json()
}

const token = keptToken.read()
const place = document.getElementById('rights')!
const [spec, rights] = await Promise.all([documentOf(), givenRights()]).catch((error) => {
  place.textContent = 'The operations cannot be read right now. Reload the page to try again.'
  throw error
})
fillIn(spec, { websiteId: rights.websiteId, period: shownPeriod })
place.textContent = rights.text
// Somebody signed in or out in another tab.
addEventListener('storage', () => {
  if (keptToken.read() !== token) location.reload()
})
const key = document.getElementById('key') as HTMLInputElement

// Swagger UI does not label its controls. Its long texts cannot receive the focus, which is needed to scroll by
// keyboard.
const root = document.getElementById('explorer')!
new MutationObserver(() => {
  for (const control of root.querySelectorAll('tr[data-param-name] select, input[type=file]')) {
    control.ariaLabel ??= control.closest('tr')?.dataset.paramName ?? 'File'
  }
  for (const text of root.querySelectorAll<HTMLElement>('.microlight')) text.tabIndex = 0
}).observe(root, { childList: true, subtree: true })

const explorer = SwaggerUIBundle({
  spec,
  dom_id: '#explorer',
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  // This theme's colours are readable on the page's background.
  syntaxHighlight: { theme: 'tomorrow-night' },
  // Keys stay in memory only.
  persistAuthorization: false,
  // By default, Swagger UI sends documents to a validator on another host.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  requestInterceptor(request: { readonly headers: object }) {
    if (!key.value.trim()) Object.assign(request.headers, rights.headers)
    return request
  },
  onComplete() {
    const use = () =>
      key.value ? explorer.preauthorizeApiKey('bearer', key.value.trim()) : explorer.authActions.logout(['bearer'])
    key.addEventListener('input', use)
    // The reader may have typed a key already, or the browser may have restored the field.
    if (key.value) use()
    // When the reader leaves, the browser may keep the page in memory, with the key in its field and in displayed
    // requests.
    addEventListener('pagehide', () => {
      key.value = ''
      root.remove()
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    const find = document.getElementById('find') as HTMLInputElement
    const { updateFilter, show } = explorer.layoutActions
    find.addEventListener('input', () => updateFilter(find.value.trim()))
    // One operation is open from the start, so that a single click sends a request.
    for (const thing of [
      ['operations-tag', first.tag],
      ['operations', first.tag, first.operation],
    ])
      show(thing, true)
  },
})
