import type { Subject } from './opening.ts'

/** Where the page's right to read comes from: a share link, a public website, or the viewer's own credential. */
export type Access =
  | { readonly by: 'share'; readonly slug: string }
  | { readonly by: 'public'; readonly websiteId: string }
  /** `key` is an API key or a sign-in token; `fetch` replaces the global one. */
  | { readonly by: 'key'; readonly key: string; readonly subject: Subject; readonly fetch?: typeof fetch }

/** The access for a path: `/share/<slug>` or `/public/<websiteId>`. */
export function accessOf(pathname: string): Access {
  const [, page, name = ''] = pathname.split('/')
  const text = decodeURIComponent(name)
  return page === 'public' ? { by: 'public', websiteId: text } : { by: 'share', slug: text }
}
