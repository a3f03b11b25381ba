/** The explorer of the API on the front page. */

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

/** What `swagger-ui-bundle.js` defines.
 * @type {{ SwaggerUIBundle: (options: object) => void }} */
const { SwaggerUIBundle } = Object(globalThis)

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#explorer',
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  // A key is kept in memory only.
  persistAuthorization: false,
  // By default documents are sent to a validator of another host.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
})
