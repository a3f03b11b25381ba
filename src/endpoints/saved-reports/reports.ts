import * as z from 'zod'
import { forbidden, websiteRefusal } from '../../access/permit.ts'
import { mayOnWebsite, personOf } from '../../access/rights.ts'
import { ApiError, invalid } from '../../errors.ts'
import { made } from '../../made.ts'
import { type SavedReport, savedReportTypes } from '../../metadata/reports.ts'
import { group, oneOf, type Parameter, query, required } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { action, type Context, updateAccess, viewAccess } from '../endpoint.ts'
import { id } from '../ids.ts'
import { fixedListGroup, listSchema } from '../lists.ts'
import {
  answerReports,
  checkParameters,
  ListedReportAnswer,
  reportFields,
  SavedReportAnswer,
  savedReportAnswerFor,
  storedFields,
} from './answer.ts'

const typeGroup = group({ type: oneOf('The type of report. Required through a share.', savedReportTypes) })

const websiteIdParameter: Parameter<string> = {
  read(text, refuse) {
    const { data, error } = made(id).safeParse(text)
    return data ?? void refuse(error!.issues[0]!.message)
  },
  doc: { description: 'The website, link or pixel.', schema: { type: 'string', format: 'uuid' } },
}

const websiteGroup = group({ websiteId: required(websiteIdParameter) })

const reportList = fixedListGroup('Part of the name or the description, ignoring case.')

export const getReports = action({
  name: 'getReports',
  path: '/api/reports',
  summary: 'Saved reports of a website, newest first, paged.',
  access: viewAccess,
  query: query(websiteGroup, typeGroup, reportList),
  answer: listSchema(ListedReportAnswer),
  run: async ({ type, list }, context) => answerReports(type, list, context),
})

export const getWebsiteReports = action({
  name: 'getWebsiteReports',
  path: '/api/websites/:websiteId/reports',
  summary: 'An alias of /api/reports of this website.',
  access: viewAccess,
  query: query(typeGroup, reportList),
  answer: listSchema(ListedReportAnswer),
  run: async ({ type, list }, context) => answerReports(type, list, context),
})

const ReportBody = () =>
  z
    .strictObject({
      websiteId: id(),
      type: z.enum(savedReportTypes, { error: `Must be one of: ${savedReportTypes.join(', ')}.` }),
      ...reportFields(),
    })
    .superRefine(({ type, parameters }, context) => checkParameters(type, parameters, context))

export const createReport = action({
  name: 'createReport',
  method: 'post',
  path: '/api/reports',
  summary: 'Saves the parameters of a report under a name.',
  access: updateAccess,
  refuses: ['conflict'],
  body: ReportBody,
  answer: SavedReportAnswer,
  async run(body, context) {
    const { metadata, holder, website, mostOwned } = context
    const of = { userId: personOf(holder)?.id ?? null, type: body.type }
    const report = await metadata.reports.create(website!, of, storedFields(body.type, body), mostOwned)
    return { body: savedReportAnswerFor(context, report) }
  },
})

const noSuchReport = () => new ApiError('not-found', 'There is no such report.')

/** Returns the report if the caller has this right to its website. Throws a 404 if the caller may not see it. */
async function requireReport(
  reportId: string,
  right: 'view' | 'update',
  { metadata, holder, reach }: Context,
): Promise<SavedReport> {
  const report = await metadata.reports.read(reportId)
  const website = report && (await reach(report.websiteId, 'view'))
  if (!website) throw noSuchReport()
  if (!mayOnWebsite(holder, website, right)) throw forbidden(websiteRefusal[right])
  return report
}

export const getReport = action({
  name: 'getReport',
  path: '/api/reports/:reportId',
  summary: 'One saved report.',
  access: { to: 'known' },
  refuses: ['not-found'],
  answer: SavedReportAnswer,
  run: async ({ reportId }, context) => ({
    body: savedReportAnswerFor(context, await requireReport(reportId, 'view', context)),
  }),
})

export const updateReport = action({
  name: 'updateReport',
  method: 'post',
  path: '/api/reports/:reportId',
  summary: 'Replaces the name, the description and the parameters of a saved report.',
  access: { to: 'known' },
  refuses: ['not-found'],
  body: ReportBody,
  record: {
    answer: ListedReportAnswer,
    read: async ({ reportId }, context) =>
      savedReportAnswerFor(context, await requireReport(reportId, 'update', context)),
  },
  answer: SavedReportAnswer,
  async run({ reportId, websiteId, type, ...fields }, context) {
    const report = await requireReport(reportId, 'update', context)
    const others = (['websiteId', 'type'] as const).filter((field) => report[field] !== { websiteId, type }[field])
    if (others.length > 0) throw invalid(others.map((path) => ({ path, message: 'Must not change.' })))
    const updated = await context.metadata.reports.update(reportId, storedFields(type, fields))
    if (!updated) throw noSuchReport()
    return { body: savedReportAnswerFor(context, updated) }
  },
})

export const deleteReport = action({
  name: 'deleteReport',
  method: 'delete',
  path: '/api/reports/:reportId',
  summary: 'Deletes a saved report.',
  access: { to: 'known' },
  refuses: ['not-found'],
  answer: Done,
  async run({ reportId }, context) {
    const { id } = await requireReport(reportId, 'update', context)
    if (!(await context.metadata.reports.delete(id))) throw noSuchReport()
    return done
  },
})
