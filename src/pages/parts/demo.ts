import { type WeirClient, weirClient } from '@weir/client'

/** Tells the slug of a share to look at. `npm start` writes that of its demo website there: it is in no bundle. */
const file = '/assets/demo.js'

/** The demo website, read with its share. */
export interface Demo {
  readonly slug: string
  readonly websiteId: string
  /** The token of its share. */
  readonly token: string
  readonly client: WeirClient
}

/** The period of the figures on the pages: whole days, today included, as on the dashboard and the badge. */
export const shownPeriod = 'last_30_days'

/** The demo website; undefined if there is none, or if its share was ended. */
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
