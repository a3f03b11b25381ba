import { type WeirClient, weirClient } from '@weir/client'

/** The file with the slug of a share to show. It must not be bundled, because `npm start` writes it. */
const file = '/assets/demo.js'

/** The demo website, read through its share. */
export interface Demo {
  readonly slug: string
  readonly websiteId: string
  /** The token of its share. */
  readonly token: string
  readonly client: WeirClient
}

/** The period of the figures on these pages, as on the dashboard and the badge: whole days, including today. */
export const shownPeriod = 'last_30_days'

/** The demo website; undefined if it or its share does not exist. */
export async function openDemo(): Promise<Demo | undefined> {
  const url = location.origin
  try {
    const { slug } = (await import(file)) as { readonly slug: string | undefined }
    if (slug === undefined) return undefined
    const { websiteId, token } = await weirClient({ url }).getShareBySlug({ slug })
    if (websiteId === undefined) return undefined
    return { slug, websiteId, token, client: weirClient({ url, shareToken: token }) }
  } catch {
    return undefined
  }
}
