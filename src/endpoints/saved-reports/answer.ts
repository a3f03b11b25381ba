import * as z from 'zod'
import type { Section } from '../../access/opening.ts'
import { forbidden } from '../../access/permit.ts'
import { ApiError } from '../../errors.ts'
import { titled } from '../../made.ts'
import { type ReportFields, type SavedReport, type SavedReportType, savedReportTypes } from '../../metadata/reports.ts'
import { parametersFor, SavedParameters, timeOf } from '../answers.ts'
import { descriptionSchema, nameSchema } from '../bodies.ts'
import type { Context } from '../endpoint.ts'
import { answerList, type ListRequest } from '../lists.ts'
import { readParameters, typedParameters } from './parameters.ts'

export const SavedReportAnswer = titled('SavedReport', () =>
  z.object({
    id: z.string(),
    userId: z.string().nullable().describe('Its author; null for the operator, and through a share.'),
    websiteId: z.string(),
    type: z.enum(savedReportTypes),
    name: z.string(),
    description: z.string(),
    parameters: SavedParameters(),
    createdAt: z.string(),
    updatedAt: z.string(),
  }),
)

export const ListedReportAnswer = titled('ListedSavedReport', () =>
  SavedReportAnswer().extend({ website: z.object({ domain: z.string(), userId: z.string().nullable() }) }),
)

/** The report as this reader sees it. */
export const savedReportAnswerFor = (
  { grant }: Pick<Context, 'grant'>,
  { id, userId, websiteId, type, name, description, parameters, createdAt, updatedAt }: SavedReport,
) => ({
  id,
  userId: grant.kind === 'opening' ? null : userId,
  websiteId,
  type,
  name,
  description,
  parameters: parametersFor(grant, typedParameters(type, parameters)),
  createdAt: timeOf(createdAt),
  updatedAt: timeOf(updatedAt),
})

/** The section that opens reports of a type to shares; heatmaps have none. */
const sectionOf: Readonly<Record<SavedReportType, Section | undefined>> = {
  attribution: 'attribution',
  breakdown: 'breakdown',
  funnel: 'funnels',
  goal: 'goals',
  heatmap: undefined,
  journey: 'journeys',
  performance: 'performance',
  retention: 'retention',
  revenue: 'revenue',
  utm: 'utm',
}

/** Lists reports of the request's website. A share lists only one type at a time, if it opens that section. */
export function answerReports(type: SavedReportType | undefined, list: ListRequest<'fixed'>, context: Context) {
  const { grant, metadata } = context
  const { id, domain, userId } = context.website!
  const section = type && sectionOf[type]
  if (grant.opening && !(section && grant.opening.sections.has(section))) {
    throw forbidden('Only reports of some types are open here: give one of those types.')
  }
  return answerList(
    list,
    (part) => metadata.reports.list(id, type, part),
    (report) => ({
      ...savedReportAnswerFor(context, report),
      website: { domain, userId: grant.kind === 'opening' ? null : userId },
    }),
  )
}

/** Saved funnels and saved goals have their own endpoints. */
export type TypeOfWebsite = 'funnel' | 'goal'

export const noSuch = (type: TypeOfWebsite) => new ApiError('not-found', `This website has no such ${type}.`)

/** Returns the report if it belongs to the website and has this type; otherwise throws a 404. */
export function ofType(type: TypeOfWebsite, report: SavedReport | undefined, websiteId: string): SavedReport {
  if (report?.websiteId !== websiteId || report.type !== type) throw noSuch(type)
  return report
}

export const reportFields = () => ({
  name: nameSchema(200),
  description: descriptionSchema().optional(),
  parameters: z.record(z.string(), z.unknown(), { error: 'Must be an object.' }),
})

type SentFields = Omit<ReportFields, 'description'> & { readonly description?: string | undefined }

/** The fields of a body as they are stored. */
export const storedFields = (
  type: SavedReportType,
  { name, description = '', parameters }: SentFields,
): ReportFields => ({ name, description, parameters: typedParameters(type, parameters) })

/** Adds an issue for each parameter that does not fit the report's type. */
export function checkParameters(
  type: SavedReportType,
  parameters: Readonly<Record<string, unknown>>,
  context: z.RefinementCtx,
): void {
  const read = readParameters(type, parameters)
  for (const { path, message } of 'faults' in read ? read.faults : []) {
    context.addIssue({ code: 'custom', path: ['parameters', path], message })
  }
}
