import { Hono } from 'hono'

/** Answers with a text that never changes, by its name: what an answer from the cache is measured against. */
const app = new Hono<{ Bindings: { readonly TEXTS: Readonly<Record<string, string>> } }>()

app.get('/:name', (c) => c.body(c.env.TEXTS[c.req.param('name')]!, 200, { 'content-type': 'application/json' }))

export default app
