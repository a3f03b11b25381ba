import { type WeirClient, weirClient } from '@weir/client'

/** Tells the slug of a share to look at. `npm start` writes that of its demo website there: it is in no bundle. */
const file = '/assets/demo.js'

/** The demo website, read with its share. */
export interface Demo {
  readonly slug: string
  readonly websiteId: string
  readonly client: WeirClient
  /** The month up to the last event, in milliseconds since 1970. */
  readonly startAt: number
  readonly endAt: number
}

const minute = 60_000
const month = 30 * 24 * 60 * minute

/** The month up to a moment, in whole minutes. */
export function monthUntil(moment: number): { readonly startAt: number; readonly endAt: number } {
  const endAt = Math.floor(moment / minute) * minute
  return { startAt: endAt - month, endAt }
}

/** The demo website; undefined if there is none, or if its share was ended. */
export async function openDemo(): Promise<Demo | undefined> {
  const url = location.origin
  try {
    const { slug } = (await import(file)) as { readonly slug: string | undefined }
    if (slug === undefined) return undefined
    const { websiteId, token } = await weirClient({ url }).getShareBySlug({ slug })
    if (websiteId === undefined) return undefined
    const client = weirClient({ url, shareToken: token })
    const { endDate } = await client.getWebsiteDateRange({ websiteId })
    return { slug, websiteId, client, ...monthUntil(endDate === null ? Date.now() : Date.parse(endDate) + minute) }
  } catch {
    return undefined
  }
}
