import * as z from 'zod'
import { formerFields } from './client-names.ts'
import { didYouMean } from './did-you-mean.ts'
import { type Field, fieldNames, isField } from './fields.ts'
import { filterDocs } from './filter-docs.ts'
import { parseJson } from './json.ts'
import { type ListOperator, misspeltOperator, parseFilterValues, type TextOperator } from './operators.ts'
import type { Period } from './period.ts'
import { type PropertyFilter, parseProperty, parseShorthand } from './property-filters.ts'
import { type AddIssue, type Group, maxTextLength, nameTooLong, type QueryEntry, type Refuse } from './query-string.ts'

/**
 * A condition on one column. `parameter` is the name as the caller spelled it, for messages; `name` is the name without
 * brackets.
 */
export type FieldFilter = { readonly parameter: string; readonly name: string; readonly field: Field } & (
  | { readonly operator: ListOperator; readonly values: readonly string[] }
  | { readonly operator: TextOperator; readonly value: string }
)

/** Conditions on columns, and whether all of them or any of them must be met. */
export interface FieldFilters {
  readonly match: 'all' | 'any'
  readonly fields: readonly FieldFilter[]
}

/**
 * A cohort: the sessions with an event in `period` that matches the action and the filters. `parameter` is the name
 * as the caller spelled it.
 */
export interface Cohort extends FieldFilters {
  readonly parameter: string
  readonly period: Period
  readonly action: { readonly field: 'path' | 'event'; readonly value: string }
}

/** A reference to a saved filter. `parameter` is the name as the caller spelled it. */
interface SavedFilterReference {
  readonly parameter: string
  readonly id: string
}

export interface Filters extends FieldFilters {
  readonly properties: readonly PropertyFilter[]
  /** Filters on the current properties of an event's session. */
  readonly sessionProperties: readonly PropertyFilter[]
  readonly eventTypes: readonly { readonly operator: ListOperator; readonly values: readonly number[] }[]
  readonly excludeBounce: boolean
  /** References by id, which `serve/question.ts` replaces with the saved conditions. */
  readonly segment: SavedFilterReference | undefined
  readonly cohort: SavedFilterReference | undefined
  /** A session must be in all of these cohorts. */
  readonly cohorts: readonly Cohort[]
  /** The time zone for calendar days. */
  readonly zone: string
  /** Every filter parameter in the request, as the caller spelled it. */
  readonly given: readonly string[]
}

/** The filters of a request that has none. */
export const noFilters: Filters = {
  match: 'all',
  fields: [],
  properties: [],
  sessionProperties: [],
  eventTypes: [],
  excludeBounce: false,
  segment: undefined,
  cohort: undefined,
  cohorts: [],
  zone: 'UTC',
  given: [],
}

/** The maximum number of conditions in a request. */
export const maxConditions = 50

/** The filter names, for messages. */
const filterNames = [...fieldNames, 'match', 'eventType', 'excludeBounce', 'segment', 'cohort', 'epf0', 'spf0']

/** Whether `pf_<property>` refers to a property of the event or of its session. */
type Shorthand = 'properties' | 'sessionProperties'

/**
 * Reads filters in their three notations: `browser=…`, `filters[browser]=…` and `filters={"browser":…}`. `shorthand`
 * adds `pf_<property>=…`.
 */
export function filters({ shorthand }: { shorthand?: Shorthand } = {}): Group<{ filters: Filters }> {
  const isName = (name: string) =>
    Object.hasOwn(settings, name) ||
    ['eventType', 'epf', 'spf'].includes(withoutNumber(name)) ||
    fieldOf(name) !== undefined ||
    (shorthand !== undefined && name.startsWith('pf_'))
  return {
    parameters: {},
    claims: {
      doc: filterDocs(shorthand !== undefined),
      matches: (name) => name === 'filters' || /^filters\[.*\]$/s.test(name) || isName(name),
    },
    resolve(values, claimed, addIssue) {
      const zone = typeof values.timezone === 'string' ? values.timezone : 'UTC'
      const entries = claimed.flatMap((entry) => filterEntries(entry, addIssue))
      return { filters: parseFilters(entries, isName, shorthand ?? 'properties', zone, addIssue) }
    },
  }
}

/** One filter. `spelled` is its name as the caller spelled it, for messages. */
interface FilterEntry extends QueryEntry {
  readonly spelled: string
}

function filterEntries(entry: QueryEntry, addIssue: AddIssue): FilterEntry[] {
  const bracketed = /^filters\[(.*)\]$/s.exec(entry.name)
  if (bracketed) return [{ name: bracketed[1]!, value: entry.value, spelled: entry.name }]
  if (entry.name !== 'filters') return [{ ...entry, spelled: entry.name }]
  const object = jsonObject(entry.value)
  if (!object) addIssue('filters', 'Must be a JSON object such as {"browser":"chrome","os":["c.win","c.mac"]}.')
  return Object.entries(object ?? {}).flatMap(([name, value]) => {
    const spelled = `filters.${name}`
    if (Array.isArray(value) && value.length === 0) addIssue(spelled, 'Must contain at least one value.')
    return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) => {
      if (typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean') {
        return [{ name, value: String(one), spelled }]
      }
      addIssue(spelled, 'Must be a text, a number, a boolean, or an array of these.')
      return []
    })
  })
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value = parseJson(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * Removes trailing digits, since `browser1` is another `browser`. A regular expression might need quadratic time for
 * many digits.
 */
function withoutNumber(name: string): string {
  let end = name.length
  while (end > 0 && isDigit(name.charCodeAt(end - 1))) end--
  return name.slice(0, end)
}

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

/** The current name of a filter, such as `path1` for `url1`. Other names are returned unchanged. */
export function currentFilterName(name: string): string {
  const former = withoutNumber(name)
  return Object.hasOwn(formerFields, former) ? `${formerFields[former]}${name.slice(former.length)}` : name
}

/** The field that a filter name refers to: `browser` for `browser1`, `path` for `url`. */
export function fieldOf(name: string): Field | undefined {
  const field = withoutNumber(currentFilterName(name))
  return isField(field) ? field : undefined
}

/** For each name, whether it is the former name of a field whose current name is also given. */
export function namedTwice(names: readonly string[]): readonly boolean[] {
  const plain = new Set(names.map(withoutNumber))
  return names.map((name) => currentFilterName(name) !== name && plain.has(withoutNumber(currentFilterName(name))))
}

export const namedTwiceMessage = 'Leave this out: it is the old name of a filter that is also given.'

type Draft = {
  -readonly [Name in keyof Filters]: Filters[Name] extends readonly (infer Item)[] ? Item[] : Filters[Name]
}
type Setting = (draft: Draft, value: string, refuse: Refuse, spelled: string) => void

/** Filters that may occur only once, each with a function that adds it to the result. */
const settings: Readonly<Record<string, Setting>> = {
  match(draft, value, refuse) {
    if (value === 'all' || value === 'any') draft.match = value
    else refuse('Must be one of: all, any.')
  },
  excludeBounce(draft, value) {
    draft.excludeBounce = value !== 'false' && value !== '0'
  },
  segment(draft, value, refuse, spelled) {
    draft.segment = savedFilterReference(value, refuse, spelled)
  },
  cohort(draft, value, refuse, spelled) {
    draft.cohort = savedFilterReference(value, refuse, spelled)
  },
}

function savedFilterReference(value: string, refuse: Refuse, parameter: string): SavedFilterReference | undefined {
  const { data } = z.guid().safeParse(value)
  if (data === undefined) refuse('Must be an id of the form 8-4-4-4-12, in hexadecimal digits.')
  return data === undefined ? undefined : { parameter, id: data.toLowerCase() }
}

function parseFilters(
  all: readonly FilterEntry[],
  isName: (name: string) => boolean,
  shorthand: Shorthand,
  zone: string,
  addIssue: AddIssue,
): Filters {
  const entries = all.slice(0, maxConditions)
  const draft: Draft = {
    ...noFilters,
    fields: [],
    properties: [],
    sessionProperties: [],
    eventTypes: [],
    cohorts: [],
    zone,
    given: entries.map(({ spelled }) => spelled),
  }
  const names = entries.map(({ name }) => name)
  const twice = namedTwice(names)
  const excess = all[maxConditions]
  if (excess) addIssue(excess.spelled, `At most ${maxConditions} filters may be given.`)
  for (const [index, { name, value, spelled }] of entries.entries()) {
    const refuse = (message: string) => addIssue(spelled, message)
    if (name.length > maxTextLength) {
      refuse(nameTooLong)
      continue
    }
    if (twice[index]) refuse(namedTwiceMessage)
    const field = fieldOf(name)
    const set = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (set && names.indexOf(name) < index) refuse('Give this parameter once.')
    if (value.length > maxTextLength) refuse(`Must be at most ${maxTextLength} characters long.`)
    else if (set) set(draft, value, refuse, spelled)
    else if (!isName(name))
      refuse(`Unknown filter.${didYouMean(name, filterNames)} Allowed: ${filterNames.join(', ')}.`)
    else if (withoutNumber(name) === 'eventType') draft.eventTypes.push(parseEventTypes(value, refuse))
    else if (withoutNumber(name) === 'epf') push(draft.properties, named(spelled, parseProperty(value, zone, refuse)))
    else if (withoutNumber(name) === 'spf')
      push(draft.sessionProperties, named(spelled, parseProperty(value, zone, refuse)))
    else if (field) push(draft.fields, parseFieldFilter(spelled, currentFilterName(name), field, value, refuse))
    else push(draft[shorthand], named(spelled, parseShorthand(propertyName(name, names), value, zone, refuse)))
  }
  return draft
}

/** `pf_plan1` is a second `pf_plan` if that is also given; otherwise it refers to the property `plan1`. */
function propertyName(name: string, names: readonly string[]): string {
  return (names.includes(withoutNumber(name)) ? withoutNumber(name) : name).slice('pf_'.length)
}

/** Adds the parameter name, as the caller spelled it, to a condition. */
const named = <Condition extends object>(parameter: string, condition: Condition | undefined) =>
  condition && { parameter, ...condition }

const push = <Item>(list: Item[], item: Item | undefined) => void (item && list.push(item))

function parseFieldFilter(
  parameter: string,
  name: string,
  field: Field,
  given: string,
  refuse: Refuse,
): FieldFilter | undefined {
  const [, prefix, rest] = /^(eq|neq|c|dnc|re|nre)\.(.*)$/s.exec(given) ?? []
  const operator = (prefix ?? 'eq') as ListOperator | TextOperator
  const value = rest ?? given
  if (operator !== 'eq' && operator !== 'neq') return { parameter, name, field, operator, value }
  const misspelt = prefix === undefined ? misspeltOperator(given) : undefined
  if (misspelt !== undefined) return void refuse(misspelt)
  const values = parseFilterValues(value, refuse)
  return values && { parameter, name, field, operator, values }
}

function parseEventTypes(value: string, refuse: Refuse): Filters['eventTypes'][number] {
  const [, operator = 'eq', list] = /^(?:(eq|neq)\.)?([1-5](?:,[1-5])*)$/.exec(value) ?? []
  if (!list) refuse('Must be a whole number from 1 to 5 (1 page view, 2 custom event, 3 link, 4 pixel, 5 performance).')
  return { operator: operator as ListOperator, values: (list ?? '').split(',').map(Number) }
}
