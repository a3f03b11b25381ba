import { Hono } from 'hono'

/** Answers with a constant text by its name: the baseline for answers from the cache. */
const app = new Hono<{ Bindings: { readonly TEXTS: Readonly<Record<string, string>> } }>()

app.get('/:name', (c) => c.body(c.env.TEXTS[c.req.param('name')]!, 200, { 'content-type': 'application/json' }))

export default app
