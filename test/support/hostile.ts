import type { AnyReport } from '../../src/endpoints/endpoint.ts'
import { fieldNames } from '../../src/request/fields.ts'
import { encodeCursor } from '../../src/request/page.ts'
import { isLong } from './long.ts'
import { memoised } from './memoised.ts'
import { planOf, type Question } from './questions.ts'

/** Texts that resemble SQL, parameters or escapes, or are too long. None of them is an operator or a number. */
export const hostileTexts = [
  "'",
  "''",
  '"',
  '`',
  '\\',
  "\\'",
  "') or 1 = 1 --",
  ...['--', '/*', ';', '; drop table events', '{p0:String}', '{p0:Identifier}', '%27'],
  '\0',
  'a\0b',
  '\n',
  'Ünïcödé 日本 😀 \u2028',
  '\ufeff',
  'x'.repeat(3900),
  "'".repeat(1000),
]

/** The texts for tests that plan each request. In `npm test`, the short texts are concatenated into one. */
const texts = isLong
  ? hostileTexts
  : [hostileTexts.filter(isShort).join(''), ...hostileTexts.filter((text) => !isShort(text))]

/**
 * These requests with hostile texts, each with its position. In `npm test`, each request has one of the texts, in
 * turn, and a request with the next `turn` has the next text.
 */
export const hostileShapes = (report: AnyReport, turn: number, requestsOf = shapesOf) =>
  texts.flatMap((text, first) =>
    requestsOf(report, text).flatMap((question, place) =>
      isLong || (place + turn) % texts.length === first ? [{ place, text, question }] : [],
    ),
  )

function isShort(text: string): boolean {
  return text.length < 100
}

type Pairs = [name: string, value: string][]

/**
 * Requests that together use everything a report accepts, in every spelling, with this text wherever any text is
 * allowed.
 */
export function shapesOf(report: AnyReport, text: string): Question[] {
  const takes = (pairs: Pairs): Pairs => pairs.filter(([name]) => name in report.query.parameters)
  const ids = {
    ...{ report, websiteId: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001', eventId: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a002' },
  }
  const needs = Object.entries({ ...report.example.query, ...Object.fromEntries(takes(freeTexts(text))) })
  const filters = 'filters' in report.query.parameters ? filterShapes(text) : []
  const shorthand = 'pf_{property}' in report.query.parameters ? [shorthands(text)] : []
  return [[], ...filters, ...shorthand, ...settings.map(takes), ...choices(report)].map((pairs) => ({
    ...ids,
    query: [...needs, ...pairs],
  }))
}

/** Parameters for a range of 30 days, which may be sealed entirely or except for its ends. */
const sealable: Pairs[] = [
  [
    ['startAt', `${Date.UTC(2025, 0, 1)}`],
    ['endAt', `${Date.UTC(2025, 0, 31) - 1}`],
  ],
  [
    ['startAt', `${Date.UTC(2025, 0, 1) + 1}`],
    ['endAt', `${Date.UTC(2025, 0, 31) + 5_000_000}`],
  ],
]

/** Requests that chains may answer, with each choice over sealed days and with filters on their columns. */
export const sealableShapesOf = (report: AnyReport, text: string): Question[] =>
  overSealedDays(report, text).filter((_, place) => placesOfChains(report).has(place))

/** The indexes of the requests that chains may answer with any text. Each request is planned only once. */
const placesOfChains = memoised((report: AnyReport): ReadonlySet<number> => {
  const asks = (question: Question) => Object.values(planOf(question)).some(({ wants }) => wants)
  return new Set(overSealedDays(report, 'x').flatMap((question, place) => (asks(question) ? [place] : [])))
})

function overSealedDays(report: AnyReport, text: string): Question[] {
  const takes = (name: string) => name in report.query.parameters && !report.query.ignored.has(name)
  if (!['startAt', 'filters'].every(takes)) return []
  const ids = { report, websiteId: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a001' }
  const filters = [
    [],
    [['browser', `eq.${text}`]],
    [['path', `eq.${text}`]],
    [
      ['path', `c.${text}`],
      ['country', `neq.${text}`],
    ],
  ] as Pairs[]
  const zone: Pairs[] = takes('timezone') ? [[['timezone', 'America/Havana']]] : []
  const types = takes('type') ? (report.query.parameters.type!.schema.enum as readonly string[]) : []
  const chosen = [[], ...zone, ...choices(report), ...types.map((type): Pairs => [['type', type]])]
  const pairs = sealable.flatMap((range) => filters.flatMap((some) => chosen.map((one) => [...range, ...some, ...one])))
  return pairs.map((some) => ({
    ...ids,
    query: Object.entries({ ...report.example.query, ...Object.fromEntries(some) }),
  }))
}

/** Each value of each parameter that has few values. New reports need no entry here. */
const choices = ({ query, example }: AnyReport): Pairs[] =>
  Object.entries(query.parameters).flatMap(([name, { schema }]) =>
    query.ignored.has(name) || Object.hasOwn(example.query, name) || ['match', 'dryRun'].includes(name)
      ? []
      : ((schema.enum ?? []) as readonly string[]).map((value): Pairs => [[name, value]]),
  )

const freeTexts = (text: string): Pairs => [
  ['search', text],
  ['event', text],
  ['eventName', text],
  ['propertyName', text],
  ['startStep', text],
  ['endStep', text],
]

const settings: Pairs[] = [
  [
    ['page', '3'],
    ['limit', '7'],
    ['offset', '3'],
    ['dataType', '5'],
    ['compare', 'yoy'],
  ],
  [
    ['maxResults', '10'],
    ['pageSize', '7'],
    ['dataType', '2'],
    ['timezone', 'Asia/Kolkata'],
    ['unit', 'day'],
  ],
  [
    [
      'cursor',
      encodeCursor({
        ...{ createdAt: 1_760_500_000_000, eventId: '7f1c0a52-9a3b-4f0e-8d21-0c5be7d1a003', before: 20, ties: 0 },
      }),
    ],
  ],
]

const operators = ['eq', 'neq', 'c', 'dnc', 're', 'nre']

function filterShapes(text: string): Pairs[] {
  const listed = text.replaceAll(',', '\\,')
  return [
    ...operators.map((operator): Pairs => fieldNames.map((field) => [`filters[${field}]`, `${operator}.${listed}`])),
    [['filters', JSON.stringify({ browser: [`eq.b,${listed}`, `neq.b,c,${listed}`], os: `c.${text}`, match: 'any' })]],
    [
      ['browser1', `c.${text}`],
      ['excludeBounce', 'true'],
      ['eventType', '1'],
      ['eventType', 'neq.3,4'],
      ['match', 'all'],
    ],
    ...properties(text),
  ]
}

/** A property filter of each type and operator, with the text first as its value and then as its name. */
function properties(text: string): Pairs[] {
  const listed = text.replaceAll(',', '\\,')
  const inName = encodeURIComponent(text).replaceAll('.', '%2E')
  const asValue = [
    ...operators.map((operator) => `1.${operator}.plan.${listed}`),
    `5.c.plan.${text}`,
    `5.dnc.plan.${text}`,
  ]
  const asName = [
    `1.eq.${inName}.x`,
    ...['eq', 'neq', 'gt', 'lt', 'gte', 'lte'].map((operator) => `2.${operator}.${inName}.1.5`),
    ...['eq', 'neq'].map((operator) => `3.${operator}.${inName}.true`),
    ...['eq', 'neq', 'bf', 'af'].map((operator) => `4.${operator}.${inName}.2025-10-15`),
    `5.c.${inName}.x`,
  ]
  return ['epf', 'spf'].flatMap((of) =>
    [asValue, asName].map((filters) => filters.map((filter, index): [string, string] => [`${of}${index}`, filter])),
  )
}

const shorthands = (text: string): Pairs => [
  [`pf_${text}`, 'eq.x'],
  ['pf_plan', `1.neq.${text.replaceAll(',', '\\,')}`],
  ['pf_amount', '2.gte.1'],
]

/** JSON of every type with extreme values, which a page may send by mistake. */
export const hostileJson: readonly string[] = [
  ...['true', 'false', '0', '-0', '42', '1.50', '-1', '1e3', '1e400', '-1E-400', '1234567890123456789', '0.00001234'],
  ...['9'.repeat(31), `0.${'1'.repeat(40)}`, '9'.repeat(5000), `1e${'9'.repeat(50)}`, '[]', '{}', '[null]', '["a"]'],
  ...[
    '[[[[1.0]]]]',
    '{"a":{"b":[1e2]}}',
    `[${'1,'.repeat(5000)}1]`,
    '{"":""}',
    '{"__proto__":{"x":1},"constructor":1}',
  ],
  ...['"0"', '"-5"', '"1e3"', '"NaN"', '"12x"', '"x"', '" "', '"\\u0000"', '"\\ud800"', '"%"', '"a,b"', '"http://["'],
  ...['"0001-01-01T00:00:00Z"', '"2299-12-31T23:59:59-23:00"', '"1e400x2"', '"392.72727272727275x850.9090909090909"'],
  ...hostileTexts.map((text) => JSON.stringify(text)),
  JSON.stringify('😀'.repeat(2001)),
]
