import * as z from 'zod'
import { type Issue, maxIssues } from '../../errors.ts'
import { made } from '../../made.ts'
import type { SavedReportType } from '../../metadata/reports.ts'
import { bodyGroups } from '../../request/common.ts'
import { fieldNames } from '../../request/fields.ts'
import { parseJson } from '../../request/json.ts'
import {
  freeText,
  type Group,
  group,
  oneOf,
  type Parameter,
  type Query,
  query,
  required,
  wholeNumber,
} from '../../request/query-string.ts'
import { parameterText } from '../report-body.ts'

/** A text within bounds. */
const boundedText = (description: string, longest: number): Parameter<string> => ({
  read: (text, refuse) =>
    text.length >= 1 && text.length <= longest ? text : void refuse(`Must be 1 to ${longest} characters long.`),
  doc: { description, schema: { type: 'string', minLength: 1, maxLength: longest } },
})

const pathOrEvent = oneOf('A view of a path, or a custom event of a name.', ['path', 'event'])

/** The longest JSON of one parameter, in characters. */
const maxJsonLength = 20_000

/** A parameter that is a list. */
const listOf = (description: string, schema: () => z.ZodType): Parameter<unknown> => ({
  read(text, refuse) {
    if (text.length > maxJsonLength) return void refuse(`Must be at most ${maxJsonLength} characters of JSON.`)
    const read = made(schema).safeParse(jsonOf(text))
    if (read.success) return read.data
    const { path, message } = read.error.issues[0]!
    return void refuse(path.length > 0 ? `${path.join('.')}: ${message}` : message)
  },
  doc: { description, schema: { type: 'string', maxLength: maxJsonLength, contentMediaType: 'application/json' } },
})

function jsonOf(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const ShortText = () => z.string().min(1).max(500)

const SavedSteps = () =>
  z
    .array(
      z
        .strictObject({
          type: z.enum(['path', 'event']),
          value: ShortText(),
          filters: z
            .array(
              z.strictObject({
                property: ShortText(),
                operator: z.enum(['eq', 'neq', 'c', 'dnc']),
                value: z.string().max(500),
              }),
            )
            .max(10)
            .optional(),
        })
        .refine(({ type, filters = [] }) => type === 'event' || filters.length === 0, {
          path: ['filters'],
          error: 'Only a step of type event has filters.',
        }),
    )
    .min(2)
    .max(8)

const SavedFields = () =>
  z
    .array(z.enum(fieldNames))
    .min(1)
    .max(10)
    .refine((names) => new Set(names).size === names.length, { error: 'Give each field once.' })

const mostMinutes = 525_600

const minutes: Parameter<number> = {
  read(text, refuse) {
    const value = /^\d{1,6}(?:\.\d{1,20})?(?:e-\d{1,3})?$/.test(text) ? Number(text) : Number.NaN
    return value > 0 && value <= mostMinutes ? value : void refuse(`Must be a number above 0 and up to ${mostMinutes}.`)
  },
  doc: { description: 'Minutes.', schema: { type: 'number', exclusiveMinimum: 0, maximum: mostMinutes } },
}

const nothing = () => ({})

/** The parameters of each type of report, its range aside. A report is saved only with what these accept. */
const ownParameters: Readonly<Record<SavedReportType, Group<object>>> = {
  attribution: group(
    {
      model: required(oneOf('Which touch gets the credit.', ['first-click', 'last-click'])),
      type: required(pathOrEvent),
      step: required(boundedText('The path or the name.', 500)),
      currency: freeText('It has no effect.'),
    },
    nothing,
  ),
  breakdown: group({ fields: required(listOf('Names of fields.', SavedFields)) }, nothing),
  funnel: group({ window: required(minutes), steps: required(listOf('Two to eight steps.', SavedSteps)) }, nothing),
  goal: group({ type: required(pathOrEvent), value: required(boundedText('The path or the name.', 500)) }, nothing),
  heatmap: group(
    { mode: oneOf('Clicks, or how far visitors scroll.', ['click', 'scroll']), urlPath: freeText('The path.') },
    nothing,
  ),
  journey: group(
    {
      steps: required(wholeNumber('After how many steps a journey is cut.', { min: 2, max: 7 })),
      startStep: freeText('The first label.'),
      endStep: freeText('The last label.'),
      eventType: freeText('The type of the events.'),
    },
    nothing,
  ),
  performance: group({ metric: oneOf('A web vital.', ['lcp', 'inp', 'cls', 'fcp', 'ttfb']) }, nothing),
  retention: group({}, nothing),
  revenue: group({ currency: required(boundedText('A currency.', 10)) }, nothing),
  utm: group({}, nothing),
}

const queries = new Map<SavedReportType, Query<object>>()

function queryOf(type: SavedReportType): Query<object> {
  const known = queries.get(type) ?? query(ownParameters[type]).beside(...bodyGroups)
  queries.set(type, known)
  return known
}

/** The faults of a report's parameters. They are read as the report itself would read them. */
export function faultsOf(type: SavedReportType, parameters: Readonly<Record<string, unknown>>): readonly Issue[] {
  const { schema, parameters: allowed } = queryOf(type)
  const unknown = Object.keys(parameters)
    .filter((name) => !Object.hasOwn(allowed, name))
    .slice(0, maxIssues)
    .map((path) => ({ path, message: `Unknown parameter. Allowed: ${Object.keys(allowed).join(', ')}.` }))
  const known = Object.entries(parameters).filter(([name]) => Object.hasOwn(allowed, name))
  const read = schema.safeParse(Object.fromEntries(known.map(([name, value]) => [name, parameterText(value)])))
  return [...unknown, ...(read.error?.issues ?? []).map(({ path, message }) => ({ path: path.join('.'), message }))]
}
