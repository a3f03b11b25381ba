import type { Subject } from './opening.ts'

/** By what right the page reads: the link of a share, a website that is open to everyone, or the viewer's own. */
export type Access =
  | { readonly by: 'share'; readonly slug: string }
  | { readonly by: 'public'; readonly websiteId: string }
  /** `key` is an API key or the token of a sign-in; `fetch` is called in place of the global one. */
  | { readonly by: 'key'; readonly key: string; readonly subject: Subject; readonly fetch?: typeof fetch }

/** The access of an address: `/share/<slug>` or `/public/<websiteId>`. */
export function accessOf(pathname: string): Access {
  const [, page, name = ''] = pathname.split('/')
  const text = decodeURIComponent(name)
  return page === 'public' ? { by: 'public', websiteId: text } : { by: 'share', slug: text }
}
