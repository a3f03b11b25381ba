import * as z from 'zod'
import { forbidden, type Grant } from '../../access/permit.ts'
import { personOf } from '../../access/rights.ts'
import { ApiError } from '../../errors.ts'
import { titled } from '../../made.ts'
import type { Annotation } from '../../metadata/annotations.ts'
import type { Page } from '../../metadata/page.ts'
import { rangeOrNone } from '../../request/period.ts'
import { query } from '../../request/query-string.ts'
import { Done, done, isLocked, timeOf } from '../answers.ts'
import { noteSchema, optionalBoolean } from '../bodies.ts'
import { action, type Context, updateAccess, viewAccess } from '../endpoint.ts'
import { answerList, fixedListGroup, listSchema } from '../lists.ts'

const AnnotationAnswer = titled('Annotation', () =>
  z.object({
    id: z.string(),
    websiteId: z.string(),
    userId: z.string().nullable().describe('The author; null for the operator, and through a share.'),
    date: z.string(),
    allDay: z.boolean(),
    note: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
)

/** The annotation for this reader. */
const annotationAnswerFor =
  ({ kind }: Grant) =>
  ({ id, websiteId, userId, date, allDay, note, createdAt, updatedAt }: Annotation) => ({
    id,
    websiteId,
    userId: kind === 'opening' ? null : userId,
    date: timeOf(date),
    allDay,
    note,
    createdAt: timeOf(createdAt),
    updatedAt: timeOf(updatedAt),
  })

const wrongDate = 'Must be a date (2025-10-15, its 00:00 in UTC) or a moment with its offset (2025-10-15T16:26:28Z).'

/** Reads a date or a moment in the years 0 to 9999 as milliseconds since 1970. */
const dateOrMoment = () =>
  z
    .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: wrongDate })
    .transform((text) => Date.parse(text))
    .refine((date) => /^\d/.test(timeOf(date)), { error: wrongDate })

const AnnotationBody = titled('NewAnnotation', () =>
  z.strictObject({
    date: dateOrMoment(),
    note: noteSchema(500),
    allDay: optionalBoolean(),
  }),
)

const noSuchAnnotation = () => new ApiError('not-found', 'This website has no such annotation.')

async function requireAnnotation(websiteId: string, annotationId: string, context: Context): Promise<Annotation> {
  const { metadata, grant } = context
  const annotation = isLocked(grant) ? undefined : await metadata.annotations.read(websiteId, annotationId)
  if (!annotation) throw noSuchAnnotation()
  return annotation
}

/** A share or public website shows annotations only if its readers may filter. */
function refuseWithoutFilters({ opening }: Grant): void {
  if (opening && !opening.allowFilter) throw forbidden('This share or public website hides annotations.')
}

const noAnnotations: Page<Annotation> = { count: 0, data: [], isTooLarge: false }

export const getWebsiteAnnotations = action({
  name: 'getWebsiteAnnotations',
  path: '/api/websites/:websiteId/annotations',
  summary: 'Annotations of a website, latest date first, paged. A range restricts them.',
  access: viewAccess,
  query: query(rangeOrNone, fixedListGroup('Part of the note, ignoring case.')),
  answer: listSchema(AnnotationAnswer),
  run({ websiteId, period, list }, { metadata, grant }) {
    refuseWithoutFilters(grant)
    return answerList(
      list,
      async (part) => (isLocked(grant) ? noAnnotations : metadata.annotations.list(websiteId, period, part)),
      annotationAnswerFor(grant),
    )
  },
})

export const createWebsiteAnnotation = action({
  name: 'createWebsiteAnnotation',
  method: 'post',
  path: '/api/websites/:websiteId/annotations',
  summary: 'Creates an annotation: a note on a date.',
  access: updateAccess,
  refuses: ['conflict'],
  body: AnnotationBody,
  answer: AnnotationAnswer,
  async run({ date, note, allDay = true }, { metadata, holder, grant, website, mostOwned }) {
    const userId = personOf(holder)?.id ?? null
    const annotation = await metadata.annotations.create(website!, userId, { date, note, allDay }, mostOwned)
    return { body: annotationAnswerFor(grant)(annotation) }
  },
})

export const getWebsiteAnnotation = action({
  name: 'getWebsiteAnnotation',
  path: '/api/websites/:websiteId/annotations/:annotationId',
  summary: 'One annotation.',
  access: viewAccess,
  refuses: ['not-found'],
  answer: AnnotationAnswer,
  async run({ websiteId, annotationId }, context) {
    refuseWithoutFilters(context.grant)
    return { body: annotationAnswerFor(context.grant)(await requireAnnotation(websiteId, annotationId, context)) }
  },
})

export const updateWebsiteAnnotation = action({
  name: 'updateWebsiteAnnotation',
  method: 'post',
  path: '/api/websites/:websiteId/annotations/:annotationId',
  summary: 'Replaces the date, the note and allDay of an annotation.',
  access: updateAccess,
  refuses: ['not-found'],
  body: AnnotationBody,
  record: {
    answer: AnnotationAnswer,
    read: async ({ websiteId, annotationId }, context) =>
      annotationAnswerFor(context.grant)(await requireAnnotation(websiteId, annotationId, context)),
  },
  answer: AnnotationAnswer,
  async run({ websiteId, annotationId, date, note, allDay = true }, { metadata, grant }) {
    const updated = await metadata.annotations.update(websiteId, annotationId, { date, note, allDay })
    if (!updated) throw noSuchAnnotation()
    return { body: annotationAnswerFor(grant)(updated) }
  },
})

export const deleteWebsiteAnnotation = action({
  name: 'deleteWebsiteAnnotation',
  method: 'delete',
  path: '/api/websites/:websiteId/annotations/:annotationId',
  summary: 'Deletes an annotation.',
  access: updateAccess,
  refuses: ['not-found'],
  answer: Done,
  async run({ websiteId, annotationId }, { metadata }) {
    if (!(await metadata.annotations.delete(websiteId, annotationId))) throw noSuchAnnotation()
    return done
  },
})
