import { randomUUID } from 'node:crypto'
import { operator } from './callers.ts'
import { insert, signer } from './people.ts'
import { day } from './website.ts'
import { pathOf, send } from './weir.ts'

type Headers = Readonly<Record<string, string>>

/** A board share. */
export interface BoardShare {
  readonly id: string
  readonly boardId: string
  readonly slug: string
  readonly headers: Headers
}

/**
 * Creates a board that contains these, with a share, directly in D1. It belongs to a user, a team or, by default, the
 * operator.
 */
export async function boardShare(
  subjects: readonly { readonly id: string; readonly kind?: string; readonly putBy?: string }[],
  { userId = null, teamId = null }: { userId?: string | null; teamId?: string | null } = {},
  parameters: object = { overview: true, events: true },
): Promise<BoardShare> {
  const [boardId, id, slug] = [randomUUID(), randomUUID(), randomUUID()]
  const texts = { type: 'mixed', name: 'b', name_key: 'b', description: '', description_key: '', parameters: '{}' }
  const times = { created_at: Date.now(), updated_at: Date.now() }
  await insert('boards', { id: boardId, ...texts, ...times, user_id: userId, team_id: teamId })
  for (const { id: subject_id, kind = 'website', putBy = null } of subjects) {
    await insert('board_subjects', { board_id: boardId, subject_id, kind, put_by: putBy })
  }
  const shared = {
    ...{ website_id: boardId, share_type: 4, name: 's', search: 's' },
    slug,
    parameters: JSON.stringify(parameters),
  }
  await insert('shares', { id, ...shared, ...times })
  const token = await (await signer()).make({ typ: 'share', jti: id, slug })
  return { id, boardId, slug, headers: { 'x-weir-share-token': token } }
}

const range = { startAt: day.startAt, endAt: day.endAt }

/** A report's status for the website, link or pixel. */
export const statusOf = async (id: string, headers: Headers, report = 'stats'): Promise<number> =>
  (await send(pathOf(`/api/websites/${id}/${report}`, range), { headers })).status

/** The ids of the shares listed for a website, link or pixel. */
export const listedShares = async (path: string, headers: Headers = operator): Promise<ListedShare[]> =>
  (await send(pathOf(`${path}/shares`, { pageSize: 1000 }), { headers })).body.data

interface ListedShare {
  readonly id: string
  readonly slug: string
  readonly entityId: string
  readonly shareType: number
  readonly boardId?: string
  readonly parameters: object
}
