import { FIELDS, fieldText, isField } from './conditions.ts'
import type { Answer, IngestRow } from './model.ts'
import { list } from './paging.ts'
import type { Reading } from './reading.ts'
import { foreignReferrer } from './referrers.ts'
import type { Sets } from './sets.ts'
import { compareText, containsIgnoringCase } from './text.ts'
import { totals } from './totals.ts'
import { grouped } from './visits.ts'

/** The breakdown report: the figures of views for each combination of values, including empty ones. */
export function breakdown({ views, visits }: Sets, reading: Reading): Answer {
  const fields = fieldsOf(reading.settings.get('fields') ?? '')
  const groups = grouped(views, (view) => JSON.stringify(fields.map((field) => textOf(view, field))))
  const rows = [...groups.values()].map((some) => {
    const { pageviews, ...others } = totals(some, visits)
    return { texts: fields.map((field) => textOf(some[0]!, field)), figures: { views: pageviews, ...others } }
  })
  rows.sort(
    (left, right) =>
      right.figures.visitors - left.figures.visitors ||
      right.figures.views - left.figures.views ||
      left.texts.map((text, index) => compareText(text, right.texts[index]!)).find((compared) => compared !== 0) ||
      0,
  )
  return list(
    reading,
    rows.map(({ texts, figures }) => ({
      ...figures,
      ...Object.fromEntries(fields.map((field, index) => [field, texts[index]!])),
    })),
  )
}

function textOf(view: IngestRow, field: string): string {
  if (!isField(field)) throw new Error(`Oracle: no such field: ${field}; one of ${FIELDS}`)
  return field === 'referrer' ? foreignReferrer(view) : fieldText(view, field)
}

function fieldsOf(given: string): string[] {
  const fields: string[] = given.startsWith('[') ? JSON.parse(given) : given.split(',')
  if (fields.length < 1 || fields.length > 10 || new Set(fields).size < fields.length)
    throw new Error('Oracle: 1 to 10 different fields')
  return fields
}

export const UTM_TYPES = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

/** Views by one UTM parameter. */
export function utm({ views }: Sets, reading: Reading, type = reading.settings.get('type')): Answer {
  const column = UTM_TYPES.find((one) => one === type)
  if (column === undefined) throw new Error(`Oracle: no such type: ${type}`)
  const search = reading.settings.get('search') ?? ''
  const rows = [...grouped(views, (view) => view[column])].map(([utm, same]) => ({ utm, views: same.length }))
  rows.sort((left, right) => right.views - left.views || compareText(left.utm, right.utm))
  return list(
    reading,
    rows.filter(({ utm }) => utm !== '' && containsIgnoringCase(utm, search)),
  )
}
