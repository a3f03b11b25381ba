import { UmamiClient } from '@umami/api-client'
import type { isolate } from './isolate.ts'

/** Umami's official client, unmodified, for a Worker in this process. */
export const officialClient = (ask: ReturnType<typeof isolate>, token?: string): UmamiClient =>
  new UmamiClient({
    baseUrl: 'https://weir.example.com/api',
    ...(token !== undefined && { token }),
    async fetch(url, init) {
      const { pathname, search } = new URL(String(url))
      const headers = Object.fromEntries(new Headers(init?.headers))
      const body = init?.body as string | undefined
      const { status, text } = await ask(pathname + search, headers, init?.method, body)
      return new Response(text, { status, headers: { 'content-type': 'application/json' } })
    },
  })
