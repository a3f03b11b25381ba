import * as z from 'zod'
import { ApiError } from '../../errors.ts'
import { titled } from '../../made.ts'
import { mostSaved } from '../../metadata/replays.ts'
import { attributesOfVisits, chunksOf, sessionsOfVisits } from '../../query/lists/replays.ts'
import { query } from '../../request/query-string.ts'
import { Done, done, timeOf } from '../answers.ts'
import { nameSchema } from '../bodies.ts'
import { action, type Context } from '../endpoint.ts'
import { answerList, fixedListGroup, listSchema } from '../lists.ts'
import {
  cacheControl,
  noSuchReplay,
  recordingsOf,
  refuseOthers,
  replayReadAccess,
  replayUpdateAccess,
  viewerOf,
} from './answer.ts'

const SavedReplayAnswer = titled('SavedReplay', () =>
  z.object({
    id: z.string(),
    name: z.string(),
    websiteId: z.string(),
    visitId: z.string().describe('The id of the replay.'),
    createdAt: z.string(),
    updatedAt: z.string(),
    distinctIds: z.array(z.string()),
    isViewed: z.boolean().describe('Whether the caller has seen it.'),
  }),
)

/** Whether a reset or a deleted session may hide saved replays. */
const mayHide = ({ website }: Context): boolean => website!.resetAt !== null || website!.deletedSessions.length > 0

/** Returns the ids of the visible visits. Only ClickHouse can decide this: D1 does not store sessions and times. */
async function shownAmong(visitIds: readonly string[], context: Context): Promise<string[]> {
  if (visitIds.length === 0) return []
  const { sessions } = await context.reading().run(sessionsOfVisits(await recordingsOf(context), visitIds))
  return sessions.rows.map(({ visit }) => visit)
}

export const getWebsiteSavedReplays = action({
  name: 'getWebsiteSavedReplays',
  path: '/api/websites/:websiteId/replays/saved',
  summary: 'Saved replays, the newest first, paged.',
  access: replayReadAccess,
  query: query(fixedListGroup('Part of the name, ignoring case.')),
  refuses: ['not-found', 'too-much-data'],
  answer: listSchema(SavedReplayAnswer),
  async run({ websiteId, list }, context) {
    refuseOthers(context)
    const { metadata, reading } = context
    const { run, scope } = reading()
    const shown = mayHide(context)
      ? await shownAmong(await metadata.replays.savedVisits(websiteId), context)
      : undefined
    const listed = await answerList(
      list,
      (part) => metadata.replays.saved(websiteId, part, shown),
      (row) => row,
    )
    const visits = listed.body.data.map(({ visitId }) => visitId)
    if (visits.length === 0) return { ...listed, body: { ...listed.body, data: [] }, cacheControl }
    const [{ sessions }, seen] = await Promise.all([
      run(sessionsOfVisits(await recordingsOf(context), visits)),
      metadata.replays.seen(viewerOf(context), websiteId, visits),
    ])
    const sessionOf = new Map(sessions.rows.map(({ visit, session }) => [visit, session]))
    const { linked } =
      sessionOf.size === 0
        ? { linked: { rows: [] } }
        : await run(attributesOfVisits(scope, visits, [...sessionOf.values()]))
    const idsOf = new Map(linked.rows.map(({ session, ids }) => [session, ids]))
    const data = listed.body.data.map((row) => ({
      id: row.id,
      name: row.name,
      websiteId,
      visitId: row.visitId,
      createdAt: timeOf(row.createdAt),
      updatedAt: timeOf(row.updatedAt),
      distinctIds: [...(idsOf.get(sessionOf.get(row.visitId) ?? '') ?? [])],
      isViewed: seen.has(row.visitId),
    }))
    return { ...listed, body: { ...listed.body, data }, cacheControl }
  },
})

export const getWebsiteReplaySaved = action({
  name: 'getWebsiteReplaySaved',
  path: '/api/websites/:websiteId/replays/saved/:replayId',
  summary: 'Whether a replay is saved.',
  access: replayReadAccess,
  refuses: ['not-found', 'too-much-data'],
  answer: () => z.object({ isSaved: z.boolean() }),
  async run({ websiteId, replayId }, context) {
    refuseOthers(context)
    const isSaved = await context.metadata.replays.isSaved(websiteId, replayId)
    const isShown = !isSaved || !mayHide(context) || (await shownAmong([replayId], context)).length > 0
    return { body: { isSaved: isSaved && isShown }, cacheControl }
  },
})

export const saveWebsiteReplay = action({
  name: 'saveWebsiteReplay',
  method: 'post',
  path: '/api/websites/:websiteId/replays/saved/:replayId',
  summary: 'Saves a replay under a name, renames it, or unsaves it. Saved replays stay when others are deleted.',
  access: replayUpdateAccess,
  refuses: ['not-found', 'conflict', 'too-much-data'],
  body: () =>
    z.strictObject({
      isSaved: z.boolean({ error: 'Must be true or false.' }),
      name: z.union([nameSchema(100), z.literal('')]).nullish(),
    }),
  answer: Done,
  async run({ websiteId, replayId, isSaved, name }, context) {
    const { replays } = context.metadata
    const { chunks } = await context.reading().run(chunksOf(await recordingsOf(context), replayId))
    if (chunks.rows.length === 0) throw noSuchReplay()
    if (!isSaved) await replays.unsave(websiteId, replayId)
    else if (!(await replays.save(websiteId, replayId, name ?? undefined))) throw tooManySaved()
    return done
  },
})

const tooManySaved = () =>
  new ApiError(
    'conflict',
    `${mostSaved} replays of this website are saved. Give isSaved: false for some, then save more.`,
  )
