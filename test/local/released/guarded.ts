import type { D1Database } from '@cloudflare/workers-types'
import { createKey } from '../../../src/local/storage/metadata.ts'
import { codeAt } from '../../support/codes.ts'
import { ask, type Manifest, type Question } from './folder.ts'

/** The websites of a released data folder. `again` will be reset, and `gone` deleted. All but `gone` have events. */
export interface Sites {
  readonly shop: string
  readonly blog: string
  readonly again: string
  readonly gone: string
}

/** State that hides data or refuses a request. A later version that lost it would show too much. */
interface Guarded {
  readonly questions: readonly Question[]
  /** A user with a second factor. */
  readonly second: Manifest['second']
}

type Call = (method: 'POST' | 'DELETE', path: string, body?: object, token?: string) => Promise<Record<string, string>>

/** Creates such state. The visit has a recording. */
export async function guard(
  url: string,
  key: string,
  metadata: D1Database,
  { shop, blog, again, gone }: Sites,
  { replayId, sessionId, range }: { replayId: string; sessionId: string; range: string },
): Promise<Guarded> {
  const call: Call = async (method, path, body, token = key) =>
    (await ask(url, token, { method, path, ...(body && { body }) })) as Record<string, string>
  const reader = await createKey(metadata, 'reader', { admin: false, access: 'read', websiteIds: [blog] }, Date.now())
  await call('POST', '/api/websites', { id: gone, name: 'Gone', domain: 'gone.example' })
  await call('DELETE', `/api/websites/${gone}`)
  await call('POST', `/api/websites/${again}/reset`)
  await call('POST', `/api/websites/${blog}`, { public: { overview: true } })
  await call('DELETE', `/api/websites/${blog}/sessions/${sessionId}`)
  await call('POST', `/api/websites/${shop}/replays/saved/${replayId}`, { isSaved: true, name: 'Saved' })
  const statsOf = (id: string) => `/api/websites/${id}/stats?${range}`
  return {
    questions: [
      { path: statsOf(blog), key: reader },
      { path: statsOf(shop), key: reader, status: 403 },
      { path: '/api/websites', body: { name: 'No', domain: 'no.example' }, key: reader, status: 403 },
      { path: `${statsOf(blog)}&share=public`, key: '' },
      { path: `/api/websites/${blog}/sessions?${range}&share=public`, key: '', status: 401 },
      { path: `${statsOf(shop)}&share=public`, key: '', status: 401 },
      { path: statsOf(shop), key: '', status: 401 },
      { path: statsOf(again) },
      { path: statsOf(gone), status: 403 },
      { path: `/api/websites/${blog}/sessions/${sessionId}`, status: 404 },
      { path: `/api/websites/${blog}/sessions?${range}` },
      { path: `/api/websites/${shop}/replays/saved` },
    ],
    second: await secondFactor(call),
  }
}

async function secondFactor(call: Call): Promise<Manifest['second']> {
  const signIn = { username: 'grace', password: 'correct horse battery' }
  await call('POST', '/api/users', { ...signIn, role: 'user' })
  const { token } = await call('POST', '/api/auth/login', signIn, '')
  const { manualKey } = await call('POST', '/api/2fa/setup/initiate', undefined, token)
  // A code is valid once, and the next one comes within half a minute.
  await call('POST', '/api/2fa/setup/confirm', { token: codeAt(manualKey!, Date.now() - 30_000) }, token)
  return { ...signIn, secret: manualKey! }
}
