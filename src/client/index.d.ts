import type { Client, ClientOptions } from 'openapi-fetch'
import type { paths } from './openapi.d.ts'

export type { components, operations, paths } from './openapi.d.ts'

export interface WeirOptions extends Omit<ClientOptions, 'baseUrl' | 'headers'> {
  /** Where Weir runs: `https://weir.example`. */
  readonly url: string
  /** An API key, or the token of a sign-in. */
  readonly key?: string | undefined
  /** The token of a share, as `GET /api/share/{slug}` answers it. */
  readonly shareToken?: string | undefined
  /** Further headers of each request. */
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A client of Weir, with a type for each path, parameter and answer:
 * `weirClient({ url, key }).GET('/api/websites/{websiteId}/stats', { params: { path: { websiteId }, query: range } })`.
 */
export declare function weirClient(options: WeirOptions): Client<paths>
