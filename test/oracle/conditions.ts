import { primarySubtag } from './languages.ts'
import type { IngestRow } from './model.ts'
import { isOwnHost } from './referrers.ts'
import { containsIgnoringCase, lowerCase, splitList } from './text.ts'

/** The column for each filter. `test/facts/facts.test.ts` compares the names with the Worker’s. */
export const FIELD_COLUMNS = {
  path: 'url_path',
  referrer: 'referrer_domain',
  title: 'page_title',
  query: 'url_query',
  browser: 'browser',
  os: 'os',
  device: 'device',
  country: 'country',
  region: 'region',
  city: 'city',
  language: 'language',
  hostname: 'hostname',
  tag: 'tag',
  event: 'event_name',
  distinctId: 'distinct_id',
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmContent: 'utm_content',
  utmTerm: 'utm_term',
} as const

export type Field = keyof typeof FIELD_COLUMNS

export const FIELDS = Object.keys(FIELD_COLUMNS).filter(isField)

export function isField(name: string): name is Field {
  return Object.hasOwn(FIELD_COLUMNS, name)
}

export function fieldText(row: IngestRow, field: Field): string {
  return row[FIELD_COLUMNS[field]]
}

const TEXT_OPERATORS = ['eq', 'neq', 'c', 'dnc', 're', 'nre'] as const

export type TextOperator = (typeof TEXT_OPERATORS)[number]
export type TextTest = { operator: TextOperator; operand: string }

/** Only saved filters may have a list, whose texts are literal. */
export type ListedTest = { operator: TextOperator; operand: string | string[] }

/** `key` is the name of the parameter. For example, `browser1` is a condition on `browser`. */
export type FieldCondition = ListedTest & { key: string; field: Field }

/**
 * Reads an operator and its operand, as in `neq.chrome`. Without a known operator, the whole value is compared for
 * equality.
 */
export function readTextTest(value: string): TextTest {
  const dot = value.indexOf('.')
  const operator = value.slice(0, Math.max(dot, 0))
  return isTextOperator(operator) ? { operator, operand: value.slice(dot + 1) } : { operator: 'eq', operand: value }
}

export function isTextOperator(name: string): name is TextOperator {
  return TEXT_OPERATORS.some((operator) => operator === name)
}

export function passesText({ operator, operand }: ListedTest, text: string): boolean {
  if (operator === 'eq') return listed(operand).includes(text)
  if (operator === 'neq') return !listed(operand).includes(text)
  if (typeof operand !== 'string') throw new Error(`Oracle: ${operator} takes one text`)
  switch (operator) {
    case 'c':
      return containsIgnoringCase(text, operand)
    case 'dnc':
      return !containsIgnoringCase(text, operand)
    case 're':
      return new RegExp(operand, 'iu').test(text)
    case 'nre':
      return !new RegExp(operand, 'iu').test(text)
  }
}

/** The texts in a list. Unless a comma is escaped, the whole operand is one of them, too. */
function listed(operand: string | string[]): string[] {
  if (typeof operand !== 'string') return operand
  return operand.includes('\\,') ? splitList(operand) : [...splitList(operand), operand]
}

export function passesField(condition: FieldCondition, row: IngestRow): boolean {
  const text = fieldText(row, condition.field)
  if (condition.field === 'language') return passesLanguage(condition, text)
  const passes = passesText(condition, text)
  return condition.field === 'referrer' ? passes && !isOwnHost(row) : passes
}

/** If the value is just a primary subtag, `eq` and `neq` compare primary subtags and ignore case. */
function passesLanguage(condition: ListedTest, tag: string): boolean {
  const { operator, operand } = condition
  if (operator !== 'eq' && operator !== 'neq') return passesText(condition, tag)
  const isListed = listed(operand).some((value) =>
    /[-_]/.test(value) ? value === tag : lowerCase(value) === primarySubtag(tag),
  )
  return operator === 'eq' ? isListed : !isListed
}
