import * as z from 'zod'
import { personOf } from '../../access/rights.ts'
import type { SavedReport } from '../../metadata/reports.ts'
import { query } from '../../request/query-string.ts'
import { Done, done } from '../answers.ts'
import { action, type Context, updateAccess, viewAccess } from '../endpoint.ts'
import { fixedListGroup, listSchema } from '../lists.ts'
import {
  answerReports,
  checkParameters,
  ListedReportAnswer,
  noSuch,
  ofType,
  reportFields,
  SavedReportAnswer,
  savedReportAnswerFor,
  storedFields,
  type TypeOfWebsite,
} from './answer.ts'

const viewAccessTo = (type: TypeOfWebsite) => ({ ...viewAccess, sections: [`${type}s`] }) as const

const bodyOf = (type: TypeOfWebsite) => () =>
  z.strictObject(reportFields()).superRefine(({ parameters }, context) => checkParameters(type, parameters, context))

/** Returns the report if it belongs to the website and has this type; otherwise throws a 404. */
const requireOfType = async (type: TypeOfWebsite, id: string, { metadata, website }: Context): Promise<SavedReport> =>
  ofType(type, await metadata.reports.read(id), website!.id)

const listOfType = (name: string, type: TypeOfWebsite) =>
  action({
    name,
    path: `/api/websites/:websiteId/${type}s`,
    summary: `Saved ${type}s of a website, newest first, paged.`,
    access: viewAccessTo(type),
    query: query(fixedListGroup('Part of the name or the description, ignoring case.')),
    answer: listSchema(ListedReportAnswer),
    run: async ({ list }, context) => answerReports(type, list, context),
  })

export const getWebsiteFunnels = listOfType('getWebsiteFunnels', 'funnel')
export const getWebsiteGoals = listOfType('getWebsiteGoals', 'goal')

const createOfType = (name: string, type: TypeOfWebsite) =>
  action({
    name,
    method: 'post',
    path: `/api/websites/:websiteId/${type}s`,
    summary: `Saves a ${type}.`,
    access: updateAccess,
    refuses: ['conflict'],
    body: bodyOf(type),
    answer: SavedReportAnswer,
    async run(body, context) {
      const { metadata, holder, website, mostOwned } = context
      const of = { userId: personOf(holder)?.id ?? null, type }
      const report = await metadata.reports.create(website!, of, storedFields(type, body), mostOwned)
      return { body: savedReportAnswerFor(context, report) }
    },
  })

export const createWebsiteFunnel = createOfType('createWebsiteFunnel', 'funnel')
export const createWebsiteGoal = createOfType('createWebsiteGoal', 'goal')

const readOfType = (name: string, type: TypeOfWebsite) =>
  action({
    name,
    path: `/api/websites/:websiteId/${type}s/:${type}Id`,
    summary: `One saved ${type}.`,
    access: viewAccessTo(type),
    refuses: ['not-found'],
    answer: SavedReportAnswer,
    run: async (input, context) => ({
      body: savedReportAnswerFor(context, await requireOfType(type, input[`${type}Id`], context)),
    }),
  })

export const getWebsiteFunnel = readOfType('getWebsiteFunnel', 'funnel')
export const getWebsiteGoal = readOfType('getWebsiteGoal', 'goal')

const updateOfType = (name: string, type: TypeOfWebsite) =>
  action({
    name,
    method: 'post',
    path: `/api/websites/:websiteId/${type}s/:${type}Id`,
    summary: `Replaces the name, the description and the parameters of a saved ${type}.`,
    access: updateAccess,
    refuses: ['not-found'],
    body: bodyOf(type),
    record: {
      answer: ListedReportAnswer,
      read: async (input, context) =>
        savedReportAnswerFor(context, await requireOfType(type, input[`${type}Id`], context)),
    },
    answer: SavedReportAnswer,
    async run(input, context) {
      const { id } = await requireOfType(type, input[`${type}Id`], context)
      const updated = await context.metadata.reports.update(id, storedFields(type, input))
      if (!updated) throw noSuch(type)
      return { body: savedReportAnswerFor(context, updated) }
    },
  })

export const updateWebsiteFunnel = updateOfType('updateWebsiteFunnel', 'funnel')
export const updateWebsiteGoal = updateOfType('updateWebsiteGoal', 'goal')

const deleteOfType = (name: string, type: TypeOfWebsite) =>
  action({
    name,
    method: 'delete',
    path: `/api/websites/:websiteId/${type}s/:${type}Id`,
    summary: `Deletes a saved ${type}.`,
    access: updateAccess,
    refuses: ['not-found'],
    answer: Done,
    async run(input, context) {
      const { id } = await requireOfType(type, input[`${type}Id`], context)
      if (!(await context.metadata.reports.delete(id))) throw noSuch(type)
      return done
    },
  })

export const deleteWebsiteFunnel = deleteOfType('deleteWebsiteFunnel', 'funnel')
export const deleteWebsiteGoal = deleteOfType('deleteWebsiteGoal', 'goal')
