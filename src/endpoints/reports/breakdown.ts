import * as z from 'zod'
import type { ValueOf } from '../../made.ts'
import { visitsByFields } from '../../query/figures/breakdowns.ts'
import { inSeconds, ofValues } from '../../query/figures/figures.ts'
import { ascending, descending, order, slice } from '../../query/language/order.ts'
import { textsIn } from '../../query/language/packed-texts.ts'
import type { Scope, SelectedEvents } from '../../query/language/scope.ts'
import { alias, aliasName, commaList, exportName, type Fragment, having, sql } from '../../query/language/sql.ts'
import { type Result, type Statement, select } from '../../query/language/statement.ts'
import { anyContains } from '../../query/language/text.ts'
import { type Row, selectListOf } from '../../query/lists/list.ts'
import { type Field, fieldNames, isField } from '../../request/fields.ts'
import { filters } from '../../request/filters.ts'
import { parseJson } from '../../request/json.ts'
import { firstOf, type Slice, search, slices } from '../../request/page.ts'
import { range } from '../../request/period.ts'
import { freeText, group, type Parameter, query, type Refuse, required } from '../../request/query-string.ts'
import { analysis, type ExportInput } from '../endpoint.ts'
import { inRange, pageView } from '../examples.ts'

const mostFields = 10

const listText = freeText('The fields to break down by: a JSON array or a comma-separated list.', {
  contentMediaType: 'application/json',
  examples: ['["path","browser"]', 'path,browser'],
})

const fieldList: Parameter<readonly Field[]> = {
  doc: listText.doc,
  read(given, refuse) {
    const names = listText.read(given, refuse) === undefined ? undefined : namesIn(given, refuse)
    return names && fieldsOf(names, refuse)
  },
}

function namesIn(given: string, refuse: Refuse): readonly unknown[] | undefined {
  if (!given.startsWith('[')) return given.split(',')
  try {
    return parseJson(given) as unknown[]
  } catch {
    return void refuse('Must be a JSON array such as ["path","browser"], or a comma-separated list.')
  }
}

function fieldsOf(names: readonly unknown[], refuse: Refuse): readonly Field[] | undefined {
  const fields = names.filter((name) => typeof name === 'string' && isField(name)) as Field[]
  if (fields.length < names.length) return void refuse(`Each must be one of: ${fieldNames.join(', ')}.`)
  if (fields.length === 0 || fields.length > mostFields) return void refuse(`Must hold 1 to ${mostFields} fields.`)
  return new Set(fields).size === fields.length ? fields : void refuse('Give each field once.')
}

export const fieldGroup = group({ fields: required(fieldList) })

interface BreakdownInput extends SelectedEvents {
  readonly fields: readonly Field[]
  readonly slice: Slice
  readonly search?: string | undefined
}

const { length, ...figures } = ofValues
const measures = { ...figures, totaltime: inSeconds(length) } as const
const measureNames = Object.keys(measures) as (keyof typeof measures)[]

const integer = () => z.number().int()

const Combination = () =>
  z
    .object({ views: integer(), visitors: integer(), visits: integer(), bounces: integer(), totaltime: integer() })
    .catchall(z.union([z.string(), integer()]))

/** The rows of a breakdown, under the aliases of the measures and of the fields. */
function breakdownList({ period, filters, fields, slice: part, search }: BreakdownInput, scope: Scope): Statement<Row> {
  const texts = textsIn(sql`value`, fields.length)
  const { columns, row } = selectListOf([
    ...measureNames.map((name) => ({ name, expression: measures[name], row: z.number })),
    ...fields.map((name, index) => ({ name, expression: texts[index]!, row: z.string })),
  ])
  const keys = [...fields.map(alias), sql`value`]
  const ranked = order([descending(alias('visitors')), descending(alias('views')), ...keys.map(ascending)])
  return select(row)`
    select ${columns}
    ${visitsByFields(fields, { scope, period, filters })}
    group by value
    ${having(anyContains(search, ...fields.map(alias)))}
    ${slice(ranked, part)}`
}

/** The rows, with the field names as columns. */
const exportedCombinations = ({ text, input, plan }: ExportInput<BreakdownInput, { list: unknown }>): Fragment => {
  const numbers = measureNames.map((name) => sql`${alias(name)} as ${exportName(name)}`)
  const texts = input.fields.map((name) => sql`${text(alias(name))} as ${exportName(name)}`)
  return sql`select ${commaList([...texts, ...numbers])} from (${plan.list.body})`
}

const breakdownReport = {
  // Shares never show distinct ids.
  sections: ({ fields }: BreakdownInput) => (fields.includes('distinctId') ? [] : (['breakdown'] as const)),
  countsDeleted: true,
  example: { query: { ...inRange, fields: 'path,browser' }, events: [pageView] },
  answer: () => z.array(Combination()),
  plan: (input: BreakdownInput, scope: Scope) => ({ list: breakdownList(input, scope) }),
  shape: ({ list }: { readonly list: Result<Row> }, { fields }: BreakdownInput) => ({
    body: list.rows.map(
      (row) =>
        Object.fromEntries([...fields, ...measureNames].map((name) => [name, row[aliasName(name)]])) as ValueOf<
          typeof Combination
        >,
    ),
    total: list.total,
  }),
} as const

const summary = 'Views, visitors, visits, bounces and time for each combination of field values.'

export const getWebsiteBreakdown = analysis({
  ...breakdownReport,
  name: 'getWebsiteBreakdown',
  path: '/api/websites/:websiteId/breakdown',
  summary,
  query: query(range, fieldGroup, slices, search('Part of a value of one of the fields, ignoring case.'), filters()),
  export: exportedCombinations,
})

const byPost = {
  ...breakdownReport,
  method: 'post',
  query: query(range, fieldGroup, firstOf(500), filters()),
} as const

export const getBreakdownReport = analysis({
  ...byPost,
  name: 'getBreakdownReport',
  path: '/api/reports/breakdown',
  summary,
})

export const getInsightsReport = analysis({
  ...byPost,
  name: 'getInsightsReport',
  path: '/api/reports/insights',
  aliasOf: 'breakdown',
  summary: 'The report breakdown under its former name, insights.',
})
