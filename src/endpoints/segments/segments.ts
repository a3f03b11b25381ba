import * as z from 'zod'
import { forbidden, type Grant } from '../../access/permit.ts'
import { ApiError } from '../../errors.ts'
import { titled, type ValueOf } from '../../made.ts'
import type { Segment, SegmentVisibility } from '../../metadata/segments.ts'
import { queryContext } from '../../request/client-names.ts'
import { filters } from '../../request/filters.ts'
import { group, oneOf, query, required } from '../../request/query-string.ts'
import { CohortParameters, SegmentParameters } from '../../request/saved-filters.ts'
import { Done, done, parametersFor, SavedParameters, timeOf } from '../answers.ts'
import { nameSchema } from '../bodies.ts'
import { action, type Context, updateAccess, viewAccess } from '../endpoint.ts'
import { answerList, listGroup, listSchema } from '../lists.ts'

const segmentTypes = ['segment', 'cohort'] as const

const SegmentAnswer = titled('Segment', () =>
  z.object({
    id: z.string(),
    websiteId: z.string(),
    type: z.enum(segmentTypes),
    name: z.string(),
    parameters: SavedParameters(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
)

const segmentAnswer = ({ id, websiteId, type, name, parameters, createdAt, updatedAt }: Segment) => ({
  id,
  websiteId,
  type,
  name,
  parameters: { ...parameters },
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
})

const SegmentBody = () => {
  const name = nameSchema(200)
  return z.discriminatedUnion(
    'type',
    [
      z.strictObject({ type: z.literal('segment'), name, parameters: SegmentParameters() }),
      z.strictObject({ type: z.literal('cohort'), name, parameters: CohortParameters() }),
    ],
    {
      error: ({ code }) =>
        code === 'invalid_union'
          ? `Must be one of: ${segmentTypes.join(', ')}.`
          : 'Must be an object with type, name and parameters.',
    },
  )
}

/** The segment as this reader sees it. Readers with locked filters must not see its conditions. */
const segmentAnswerFor =
  (grant: Grant) =>
  (segment: Segment): ValueOf<typeof SegmentAnswer> => ({
    ...segmentAnswer(segment),
    parameters: parametersFor(grant, segment.parameters),
  })

/** The segments that this reader may see. */
function visibilityFor({ opening }: Grant): SegmentVisibility {
  if (opening && !opening.allowFilter) throw forbidden('This share or public website does not allow filters.')
  return opening ? 'without distinctId' : 'all'
}

const noSuchSegment = () => new ApiError('not-found', 'This website has no such segment or cohort.')

/** Returns the segment if this reader may see it; otherwise throws a 404. */
async function requireSegment(websiteId: string, segmentId: string, { metadata, grant }: Context): Promise<Segment> {
  const [segment] = await metadata.segments.read(websiteId, visibilityFor(grant), segmentId)
  if (!segment) throw noSuchSegment()
  return segment
}

const typeGroup = group({ type: required(oneOf('Segments or cohorts.', segmentTypes)) })

export const getWebsiteSegments = action({
  name: 'getWebsiteSegments',
  path: '/api/websites/:websiteId/segments',
  summary: 'Segments or cohorts of a website, paged, ordered by name.',
  access: viewAccess,
  query: query(typeGroup, listGroup('Part of the name, ignoring case.', ['name'])).beside(filters(), queryContext),
  answer: listSchema(SegmentAnswer),
  run({ websiteId, type, list }, { metadata, grant }) {
    const visibility = visibilityFor(grant)
    return answerList(
      list,
      (part) => metadata.segments.list(websiteId, type, visibility, part),
      segmentAnswerFor(grant),
    )
  },
})

export const createWebsiteSegment = action({
  name: 'createWebsiteSegment',
  method: 'post',
  path: '/api/websites/:websiteId/segments',
  summary: 'Saves filters as a segment; or filters, an action and a date range as a cohort.',
  access: updateAccess,
  refuses: ['conflict'],
  body: SegmentBody,
  answer: SegmentAnswer,
  async run({ type, name, parameters }, { metadata, website, mostOwned }) {
    const segment = await metadata.segments.create(website!, { type, name, parameters }, mostOwned)
    return { body: segmentAnswer(segment) }
  },
})

export const getWebsiteSegment = action({
  name: 'getWebsiteSegment',
  path: '/api/websites/:websiteId/segments/:segmentId',
  summary: 'One segment or cohort.',
  access: viewAccess,
  refuses: ['not-found'],
  answer: SegmentAnswer,
  run: async ({ websiteId, segmentId }, context) => ({
    body: segmentAnswerFor(context.grant)(await requireSegment(websiteId, segmentId, context)),
  }),
})

export const updateWebsiteSegment = action({
  name: 'updateWebsiteSegment',
  method: 'post',
  path: '/api/websites/:websiteId/segments/:segmentId',
  summary: 'Replaces the type, the name and the parameters of a segment or cohort.',
  access: updateAccess,
  refuses: ['not-found'],
  body: SegmentBody,
  record: {
    answer: SegmentAnswer,
    read: async ({ websiteId, segmentId }, context) =>
      segmentAnswer(await requireSegment(websiteId, segmentId, context)),
  },
  answer: SegmentAnswer,
  async run({ websiteId, segmentId, type, name, parameters }, { metadata }) {
    const updated = await metadata.segments.update(websiteId, segmentId, { type, name, parameters })
    if (!updated) throw noSuchSegment()
    return { body: segmentAnswer(updated) }
  },
})

export const deleteWebsiteSegment = action({
  name: 'deleteWebsiteSegment',
  method: 'delete',
  path: '/api/websites/:websiteId/segments/:segmentId',
  summary: 'Deletes a segment or cohort. Requests that refer to it are then refused.',
  access: updateAccess,
  refuses: ['not-found'],
  answer: Done,
  async run({ websiteId, segmentId }, { metadata }) {
    if (!(await metadata.segments.delete(websiteId, segmentId))) throw noSuchSegment()
    return done
  },
})
