/** What `swagger-ui-bundle.js` defines. */
declare var SwaggerUIBundle: (options: object) => void
