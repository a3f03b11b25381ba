/** The explorer of the API: Swagger UI, filled in for the demo website if there is one. */
import { openDemo, shownPeriod } from '../parts/demo.ts'
import { type Document, fillIn } from './fill-in.ts'

/** What is used of the global of `swagger-ui-bundle.js`. */
interface Explorer {
  readonly preauthorizeApiKey: (scheme: string, key: string) => void
  readonly layoutActions: { readonly updateFilter: (text: string) => void }
  readonly authActions: { readonly logout: (schemes: readonly string[]) => void }
}
const { SwaggerUIBundle } = globalThis as unknown as { SwaggerUIBundle: (options: object) => Explorer }

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

async function documentOf(): Promise<Document> {
  const response = await fetch('/openapi.json')
  return response.json()
}

const [spec, demo] = await Promise.all([documentOf(), openDemo()])
fillIn(spec, { websiteId: demo?.websiteId, period: shownPeriod })

const explorer = SwaggerUIBundle({
  spec,
  dom_id: '#explorer',
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  // Keys stay in memory only.
  persistAuthorization: false,
  // The default sends documents to a validator on another host.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  onComplete() {
    const key = document.getElementById('key') as HTMLInputElement
    const use = () =>
      key.value ? explorer.preauthorizeApiKey('bearer', key.value.trim()) : explorer.authActions.logout(['bearer'])
    key.addEventListener('input', use)
    // The reader may have been faster, or the browser may have kept the field.
    if (key.value) use()
    // The browser may keep the page as it is, for the way back: with the key in the field, and in requests on display.
    addEventListener('pagehide', () => {
      key.value = ''
      document.getElementById('explorer')?.remove()
    })
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload()
    })
    const find = document.getElementById('find') as HTMLInputElement
    find.addEventListener('input', () => explorer.layoutActions.updateFilter(find.value.trim()))
  },
})
