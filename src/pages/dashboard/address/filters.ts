import { parseCommaList } from '../../../request/operators.ts'
import { type FilterField, isSingle, propertyOf } from './fields.ts'

/** The operators of the API, each with the words that viewers see. */
const operators = {
  ...{ eq: 'is', neq: 'is not', c: 'contains', dnc: 'does not contain', re: 'matches', nre: 'does not match' },
  ...{ gt: 'is more than', lte: 'is at most', lt: 'is less than', gte: 'is at least' },
} as const

export type Operator = keyof typeof operators

export const operatorName = (operator: Operator): string => operators[operator]

const opposites: Readonly<Record<Operator, Operator>> = {
  ...{ eq: 'neq', neq: 'eq', c: 'dnc', dnc: 'c', re: 'nre', nre: 're' },
  ...{ gt: 'lte', lte: 'gt', lt: 'gte', gte: 'lt' },
}

/** A condition on a field: it equals one of several values, or contains a single value, matches it, and so on. */
export interface Filter {
  readonly field: FilterField
  readonly operator: Operator
  /** At least one value; exactly one unless the operator accepts a list. */
  readonly values: readonly string[]
}

/** The operators that apply to a field. */
export function operatorsOf(field: FilterField): readonly Operator[] {
  if (isSingle(field)) return ['eq']
  if (field === 'eventType') return ['eq', 'neq']
  const type = propertyOf(field)?.type
  if (type === '3') return ['eq', 'neq']
  return type === '2' ? ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'] : ['eq', 'neq', 'c', 'dnc', 're', 'nre']
}

/** Whether a filter of this field may have several values with this operator. */
export const takesList = (field: FilterField, operator: Operator): boolean =>
  !isSingle(field) && propertyOf(field)?.type !== '3' && (operator === 'eq' || operator === 'neq')

/**
 * Reads a URL parameter as the API does: `c.blog` means that the field contains `blog`, `/a,/b` that it is one of them.
 */
export function readFilter(field: FilterField, text: string): Filter {
  const [, prefix, rest = ''] = /^([a-z]{1,3})\.(.*)$/s.exec(text) ?? []
  const known = isSingle(field) ? undefined : operatorsOf(field).find((name) => name === prefix)
  const [operator, value] = known ? [known, rest] : (['eq', text] as const)
  const values = takesList(field, operator) ? parseCommaList(value, () => undefined) : undefined
  return { field, operator, values: values ? [...new Set(values)] : [value] }
}

/** The value of a filter in the URL, without a redundant `eq.`. */
export function writeFilter(filter: Filter): string {
  const text = listed(filter)
  const read = readFilter(filter.field, text)
  const isSame = read.operator === filter.operator && listed(read) === text
  return isSame ? text : `${filter.operator}.${text}`
}

/** A value that ends in a backslash comes last, because the backslash would escape the next comma. */
function listed({ field, operator, values }: Filter): string {
  if (!takesList(field, operator)) return values[0] ?? ''
  const [last, first] = [values.filter(endsOpen), values.filter((value) => !endsOpen(value))]
  return [...first, ...last].map((value) => value.replaceAll(',', '\\,')).join(',')
}

const endsOpen = (value: string): boolean => value.endsWith('\\')

/** The filters after toggling this value of the field: it is added, or removed if present. */
export function toggled(filters: readonly Filter[], field: FilterField, value: string): readonly Filter[] {
  const own = filters.find((filter) => filter.field === field && filter.operator === 'eq')
  if (!own?.values.includes(value)) return withFilter(filters, { field, operator: 'eq', values: [value] })
  const rest = own.values.filter((one) => one !== value)
  return rest.length > 0 ? replaced(filters, own, { ...own, values: rest }) : without(filters, own)
}

/**
 * The filters with another one added. If an existing filter of the same field accepts a list, the new values are added
 * to it.
 */
export function withFilter(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  const { field, operator } = filter
  const own = filters.find((one) => one.field === field && one.operator === operator)
  if (own && takesList(field, operator))
    return replaced(filters, own, { ...own, values: [...new Set([...own.values, ...filter.values])] })
  // A boolean has only one value, and the API accepts only one segment.
  return own && operator === 'eq' ? replaced(filters, own, filter) : [...filters, filter]
}

/** The filters with this one negated. It stays in its place, or is merged into an existing filter. */
export function negated(filters: readonly Filter[], filter: Filter): readonly Filter[] {
  const opposite = { ...filter, operator: opposites[filter.operator] }
  const rest = without(filters, filter)
  const joined = withFilter(rest, opposite)
  return joined.length === rest.length ? joined : replaced(filters, filter, opposite)
}

const replaced = (filters: readonly Filter[], old: Filter, filter: Filter): readonly Filter[] =>
  filters.map((one) => (one === old ? filter : one))

export const without = (filters: readonly Filter[], filter: Filter): readonly Filter[] =>
  filters.filter((one) => one !== filter)

/** Whether the filters select the value. */
export const isChosen = (filters: readonly Filter[], field: FilterField, value: string): boolean =>
  filters.some((filter) => filter.field === field && filter.operator === 'eq' && filter.values.includes(value))

/** The filters as the API's parameter `filters`, with an array for each field. Undefined if there are no filters. */
export function filtersParameter(filters: readonly Filter[]): string | undefined {
  if (filters.length === 0) return undefined
  const all: Record<string, string[]> = {}
  for (const [index, filter] of filters.entries()) {
    const name = propertyOf(filter.field) ? `epf${index}` : filter.field
    all[name] = [...(all[name] ?? []), textOf(filter)]
  }
  return JSON.stringify(
    Object.fromEntries(Object.entries(all).map(([name, texts]) => [name, texts.length > 1 ? texts : texts[0]])),
  )
}

function textOf(filter: Filter): string {
  const property = propertyOf(filter.field)
  if (property) return `${property.type}.${filter.operator}.${property.encoded}.${listed(filter)}`
  return isSingle(filter.field) ? listed(filter) : `${filter.operator}.${listed(filter)}`
}
