/** The front page: the explorer of the API, filled in for the demo website if there is one. */
import { slug } from './demo.js'

/** @typedef {{ startAt: number, endAt: number }} Period */
/** @typedef {{ websiteId?: string, period: Period }} Subject */
/** @typedef {{ name: string, in: string, example?: unknown, schema: { examples?: unknown } }} Parameter */
/** @typedef {{ parameters: Parameter[], security: Record<string, unknown>[], requestBody?: Body }} Operation */
/** @typedef {{ content: { 'application/json': { example?: unknown } } }} Body */

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id))

/** @param {string} path @param {Record<string, string>} [headers] */
async function json(path, headers = {}) {
  const response = await fetch(path, { headers })
  return response.ok ? response.json() : undefined
}

/** @param {number} endAt @returns {Period} */
const monthUntil = (endAt) => ({ startAt: endAt - 30 * 86_400_000, endAt })

/** The website and the range that the explorer asks about: a month, up to the demo's last event.
 * @returns {Promise<Subject>} */
async function subject() {
  const share = slug && (await json(`/api/share/${slug}`))
  if (!share) return { period: monthUntil(Date.now()) }
  byId('demo-link').setAttribute('href', `/share/${slug}`)
  byId('demo').hidden = false
  const dates = await json(`/api/websites/${share.websiteId}/daterange`, { 'x-weir-share-token': share.token })
  // Times in answers have no milliseconds.
  const last = dates?.endDate ? Date.parse(dates.endDate) + 999 : Date.now()
  return { websiteId: share.websiteId, period: monthUntil(last) }
}

/** The values that examples have in place of their own. @param {Subject} subject */
const valuesOf = ({ websiteId, period: { startAt, endAt } }) => ({
  ...(websiteId && { websiteId }),
  ...{ startAt, endAt, startDate: new Date(startAt).toISOString(), endDate: new Date(endAt).toISOString() },
})

/** An example with these values, at any depth. @param {unknown} example @param {object} values @returns {unknown} */
const filledIn = (example, values) => JSON.parse(JSON.stringify(example), (key, value) => Object(values)[key] ?? value)

/**
 * Fills in a document: one kind of key, and these values wherever something is read.
 * @param {{ components: { securitySchemes: Record<string, unknown>, parameters: Record<string, Parameter> },
 *   paths: Record<string, Record<string, Operation>> }} document
 * @param {Record<string, unknown>} values
 */
function fillIn({ components, paths }, values) {
  components.securitySchemes = { bearer: components.securitySchemes.bearer }
  // Either pair of a range would do; both together are refused.
  for (const parameter of Object.values(components.parameters)) {
    if (parameter.name === 'startAt' || parameter.name === 'endAt') parameter.example = values[parameter.name]
    delete parameter.schema.examples
  }
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      operation.security = operation.security.filter((one) => 'bearer' in one || Object.keys(one).length === 0)
      const body = operation.requestBody?.content['application/json']
      if (body?.example && path.startsWith('/api/reports')) body.example = filledIn(body.example, values)
      // What changes or deletes a website names it itself.
      if (method !== 'get') continue
      for (const parameter of operation.parameters) {
        if (parameter.in === 'path' && parameter.name in values) parameter.example = values[parameter.name]
      }
    }
  }
}

/** The global of `swagger-ui-bundle.js`.
 * @type {{ SwaggerUIBundle: (options: object) => any }} */
const { SwaggerUIBundle } = Object(globalThis)

const [spec, values] = await Promise.all([json('/openapi.json'), subject().then(valuesOf)])
fillIn(spec, values)

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
    const key = /** @type {HTMLInputElement} */ (byId('key'))
    const use = () =>
      key.value ? explorer.preauthorizeApiKey('bearer', key.value.trim()) : explorer.authActions.logout(['bearer'])
    key.addEventListener('input', use)
    // The reader may have been faster, or the browser may have kept the field.
    if (key.value) use()
  },
})
