import { randomUUID } from 'node:crypto'
import { insert, signer, websiteOf } from './people.ts'
import { day } from './website.ts'
import { pathOf } from './weir.ts'

type Headers = Readonly<Record<string, string>>

/** The path to the day's events for one of the ways to access the website. */
export const events = ({
  websiteId,
  query = {},
}: {
  websiteId: string
  query?: Readonly<Record<string, string>> | undefined
}): string => pathOf(`/api/websites/${websiteId}/events`, { ...day, ...query } as never)

export const publicWebsite = (parameters: object) =>
  websiteOf({}, { public: JSON.stringify({ events: true, ...parameters }) })

/** Creates a share for a new website, at the time of the test's clock. */
export async function share(
  parameters: object = {},
  columns: object = {},
): Promise<{ id: string; websiteId: string; slug: string; headers: Headers }> {
  const [shareId, slug, websiteId] = [randomUUID(), randomUUID(), await websiteOf()]
  const row = {
    ...{ id: shareId, website_id: websiteId, name: 'of a test' },
    ...{ slug, created_at: Date.now(), updated_at: Date.now() },
  }
  await insert('shares', { ...row, parameters: JSON.stringify({ events: true, ...parameters }), ...columns })
  const token = await (await signer()).make({ typ: 'share', jti: shareId, slug })
  return { id: shareId, websiteId, slug, headers: { 'x-weir-share-token': token } }
}
