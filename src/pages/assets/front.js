/** The explorer of the API on the front page. */

const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

/** The global of `swagger-ui-bundle.js`.
 * @type {{ SwaggerUIBundle: (options: object) => void }} */
const { SwaggerUIBundle } = Object(globalThis)

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#explorer',
  docExpansion: 'none',
  filter: true,
  tryItOutEnabled: true,
  // Keys stay in memory only.
  persistAuthorization: false,
  // The default sends documents to a validator on another host.
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
})
