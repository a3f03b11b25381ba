import * as z from 'zod'
import { made, titled, type ValueOf } from '../made.ts'
import { dateRangeForms, periodOf } from './date-range.ts'
import { didYouMean } from './did-you-mean.ts'
import { fieldNames } from './fields.ts'
import {
  type Cohort,
  currentFilterName,
  type FieldFilter,
  type Filters,
  fieldOf,
  maxConditions,
  namedTwice,
  namedTwiceMessage,
} from './filters.ts'
import { filterValues, type ListOperator, maxValues, parseCommaList } from './operators.ts'
import { maxTextLength } from './query-string.ts'

/** The stored form of a segment or cohort (its `parameters`), and how it is converted to a request's filters. */

const textSchema = (maxLength: number) => {
  const error = `Must be a text of at most ${maxLength} characters.`
  return z
    .string({ error })
    .max(maxLength, { error, abort: true })
    .refine((text) => text.isWellFormed(), { error: 'Must be valid Unicode text.' })
}

const oneText = () => textSchema(maxTextLength)
const someTexts = `Must be a text, or a list of 1 to ${maxValues} texts.`

/** A string is a comma-separated list, as in a query string. In an array, each string is one literal value. */
const FilterValue = () =>
  z.union(
    [
      oneText().superRefine((text, context) => {
        parseCommaList(text, (message) => context.addIssue({ code: 'custom', message }))
      }),
      z.array(oneText()).min(1, { error: someTexts }).max(maxValues, { error: someTexts }),
    ],
    { error: someTexts },
  )

const unknownField = (name = ''): string =>
  `Unknown filter.${didYouMean(name, fieldNames)} Allowed: ${fieldNames.join(', ')}; ` +
  'each also with a number appended, such as browser1.'

/** Dashboards add a `type` and a `label` to each filter. They have no effect here and are not stored. */
const savedFilterFields = () => ({
  name: z
    .string({ error: unknownField() })
    .max(100, { error: unknownField(), abort: true })
    .refine((name) => fieldOf(name) !== undefined, { error: ({ input }) => unknownField(String(input)) }),
  type: z.unknown().optional(),
  label: z.unknown().optional(),
})

const SentFilter = () =>
  z.discriminatedUnion(
    'operator',
    [
      z.strictObject({ ...savedFilterFields(), operator: z.enum(['eq', 'neq']), value: FilterValue() }),
      z.strictObject({ ...savedFilterFields(), operator: z.enum(['c', 'dnc', 're', 'nre']), value: oneText() }),
    ],
    {
      error: ({ code }) =>
        code === 'invalid_union'
          ? 'Must be one of: eq, neq, c, dnc, re, nre.'
          : 'Must be a filter such as {"name":"browser","operator":"eq","value":"chrome"}.',
    },
  )

/** Replaces former names of filters by the current ones before saving. */
const saved = ({ type: _type, label: _label, name, ...filter }: ValueOf<typeof SentFilter>) => ({
  name: currentFilterName(name),
  ...filter,
})

type SavedFilter = ReturnType<typeof saved>

const filterList = 'Must be a list of filters, such as [{"name":"browser","operator":"eq","value":"chrome"}].'

const savedFields = () => ({
  filters: z
    .array(SentFilter(), { error: filterList })
    .max(maxConditions, { error: `At most ${maxConditions} filters may be saved.` })
    .superRefine((filters, context) => {
      for (const [index, isTwice] of namedTwice(filters.map(({ name }) => name)).entries()) {
        if (isTwice) context.addIssue({ code: 'custom', path: [index, 'name'], message: namedTwiceMessage })
      }
    })
    .transform((filters) => filters.map(saved))
    .optional(),
  match: z.enum(['all', 'any'], { error: 'Must be one of: all, any.' }).optional(),
  sessionPropertyFilters: z
    .array(z.unknown(), { error: 'Must be an empty list, or left out.' })
    .max(0, { error: 'Filters on session properties cannot be saved: give them with each request, as spf0.' })
    .optional(),
})

/** Whether a string is a date range. This does not depend on the time or the zone. */
const isDateRange = (text: string): boolean => periodOf(text, 0, 'UTC') !== undefined

export const SegmentParameters = titled('SegmentParameters', () => z.strictObject(savedFields()))

/** The parameters of a cohort. Without an action and a date range, it can be saved but cannot select sessions yet. */
export const CohortParameters = titled('CohortParameters', () =>
  z.strictObject({
    ...savedFields(),
    dateRange: z
      .string({ error: `Must be ${dateRangeForms}.` })
      .refine(isDateRange, { error: `Must be ${dateRangeForms}.` })
      .optional()
      .describe(
        `The period of the action: ${dateRangeForms}. ` +
          'Days are in the timezone of the request that uses the cohort. Weeks begin on Monday.',
      ),
    action: z
      .strictObject(
        {
          type: z.enum(['path', 'event'], { error: 'Must be one of: path, event.' }),
          value: textSchema(maxTextLength).min(1, { error: 'Must not be empty.' }),
        },
        { error: 'Must be an object such as {"type":"event","value":"sign-up"}.' },
      )
      .optional()
      .describe('The action that makes a session a member: an event of any kind with exactly this path or name.'),
  }),
)

/**
 * Combines a request's filters with those of the segment that `parameter` refers to. A segment's filter replaces the
 * request's filter with the same key: its first `browser` filter replaces `browser`, its second one replaces
 * `browser1`.
 */
export function withSegment(filters: Filters, parameters: object, parameter: string): Filters {
  const { filters: saved, match = filters.match } = made(SegmentParameters).parse(parameters)
  const own = toFieldFilters(saved, parameter)
  const names = new Set(own.map(({ name }) => name))
  return { ...filters, match, fields: [...filters.fields.filter(({ name }) => !names.has(name)), ...own] }
}

/**
 * Restricts a request's filters to the sessions of the cohort that `parameter` refers to; undefined if the cohort is
 * incomplete.
 */
export function withCohort(filters: Filters, parameters: object, parameter: string, now: number): Filters | undefined {
  const { filters: saved, match = 'all', action, dateRange } = made(CohortParameters).parse(parameters)
  const period = dateRange === undefined ? undefined : periodOf(dateRange, now, filters.zone)
  if (!action || !period) return undefined
  const cohort: Cohort = {
    parameter,
    match,
    fields: toFieldFilters(saved, parameter),
    period,
    action: { field: action.type, value: action.value },
  }
  return { ...filters, cohorts: [...filters.cohorts, cohort] }
}

/** Numbers names that repeat: `browser`, `browser1`, `browser2`. */
function toFieldFilters(filters: readonly SavedFilter[] = [], parameter: string): FieldFilter[] {
  return filters.map((filter, index) => {
    const before = filters.slice(0, index).filter(({ name }) => name === filter.name).length
    return toFieldFilter(filter, before === 0 ? filter.name : `${filter.name}${before}`, parameter)
  })
}

function toFieldFilter(filter: SavedFilter, name: string, parameter: string): FieldFilter {
  const common = { parameter, name, field: fieldOf(filter.name)! }
  if (!isListed(filter)) return { ...common, operator: filter.operator, value: filter.value }
  const { operator, value } = filter
  return { ...common, operator, values: typeof value === 'string' ? filterValues(value) : value }
}

const isListed = (filter: SavedFilter): filter is Extract<SavedFilter, { operator: ListOperator }> =>
  filter.operator === 'eq' || filter.operator === 'neq'
